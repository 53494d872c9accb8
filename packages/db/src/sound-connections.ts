import { DatabaseError, type Pool, type QueryConfig } from 'pg';

/**
 * What a statement was refused for that says nothing against its connection: data (class 22), constraints (23),
 * conflicts (40) and a row that stayed locked (55P03).
 */
const STATEMENT_FAULT = /^(22|23|40|55P03)/;

const isSound = (error: unknown) =>
  error instanceof DatabaseError && error.severity === 'ERROR' && STATEMENT_FAULT.test(error.code ?? '');

/**
 * Has the pool keep a connection whose statement Postgres refused. The driver's own `query` closes it after any
 * error at all, so that each refusal, of a used-up quota for one, would cost a session of the server and all
 * that was prepared on it.
 */
export function keepSoundConnections(pool: Pool): void {
  const query = async (config: QueryConfig, values?: unknown[]) => {
    const client = await pool.connect();
    try {
      const result = await client.query(config, values);
      client.release();
      return result;
    } catch (error) {
      client.release(isSound(error) ? undefined : (error as Error));
      throw error;
    }
  };
  pool.query = query as Pool['query'];
}
