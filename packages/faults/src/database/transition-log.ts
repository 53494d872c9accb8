import type { Database } from '@postrider/db';

const STATEMENTS = [
  `CREATE TABLE fault_transitions (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run_id uuid NOT NULL, before text, after text NOT NULL)`,
  `CREATE FUNCTION fault_note_transition() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO fault_transitions (run_id, before, after)
     VALUES (NEW.id, CASE TG_OP WHEN 'UPDATE' THEN OLD.status END, NEW.status);
     RETURN NULL;
   END; $$`,
  `CREATE TRIGGER fault_note_transition AFTER INSERT OR UPDATE OF status ON delivery_runs
     FOR EACH ROW EXECUTE FUNCTION fault_note_transition()`,
];

/**
 * Lets the database write down every change of a run's status. Of the rows alone one sees how a run ended,
 * not how it got there. The row's lock gives the changes of one run their order.
 */
export async function installTransitionLog(db: Database): Promise<void> {
  for (const statement of STATEMENTS) await db.$executeRawUnsafe(statement);
}
