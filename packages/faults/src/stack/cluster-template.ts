import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Database, migrate, openDatabase } from '@postrider/db';
import { type Cleanup, openWithCleanup, startPostgres } from '@postrider/local-stack';

const TRANSITION_LOG = [
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
 * Makes the database log every change of a run's status, because the rows only show the last one. The row's lock puts
 * the changes of a run in order.
 */
async function installTransitionLog(db: Database): Promise<void> {
  for (const statement of TRANSITION_LOG) await db.$executeRawUnsafe(statement);
}

/** The parts of a cluster's directory. */
const PARTS = ['data', 'password'];

/**
 * A migrated, empty database cluster that is copied for each stack: creating one keeps both cores busy for seconds.
 */
export interface ClusterTemplate {
  /** The directory of the template and its copies. */
  readonly directory: string;
  /** Makes a copy and returns its directory, for `startPostgres`. */
  copy(): Promise<string>;
  /** Removes the template and every copy. */
  remove(): Promise<void>;
}

/** Creates the schema in an empty database. */
type Migrate = (databaseUrl: string) => Promise<unknown>;

const removeDirectory = (directory: string) => rm(directory, { recursive: true, force: true });

/** Creates and migrates the cluster. Returns the directory that the server actually uses, which may be elsewhere. */
async function fillTemplate(directory: string, migrateTo: Migrate, cleanup: Cleanup): Promise<string> {
  const server = await startPostgres({ directory, removeWhenOrphaned: [directory] });
  cleanup.add(() => removeDirectory(server.directory));
  try {
    await migrateTo(server.url);
    const db = openDatabase(server.url, { poolSize: 1 });
    await installTransitionLog(db).finally(() => db.$disconnect());
  } finally {
    await server.stop();
  }
  return server.directory;
}

async function makeTemplate(migrateTo: Migrate, cleanup: Cleanup): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-faults-'));
  cleanup.add(() => removeDirectory(directory));
  return fillTemplate(directory, migrateTo, cleanup);
}

/**
 * Creates the template. Copies are inside it, where the account that Postgres runs as can reach them.
 * @param migrateTo creates the schema; by default that of this release
 */
export function createClusterTemplate(migrateTo: Migrate = migrate): Promise<ClusterTemplate> {
  return openWithCleanup(async (cleanup) => {
    const template = await makeTemplate(migrateTo, cleanup);
    let copies = 0;
    return {
      directory: template,
      async copy() {
        copies += 1;
        const directory = join(template, `copy-${copies}`);
        await mkdir(directory);
        const parts = PARTS.map((part) => join(template, part));
        // fs.cp would not keep the owner.
        await promisify(execFile)('cp', ['-a', ...parts, directory]);
        return directory;
      },
      remove: cleanup.run,
    };
  });
}
