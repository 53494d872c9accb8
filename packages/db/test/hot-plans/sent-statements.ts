import { Client } from 'pg';
import type { UnboundDatabase } from '../../src/client.ts';

/** A statement as the driver was given it. */
export interface SentStatement {
  /** Under which the connection keeps it prepared; empty when it does not. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

function isStatement(sent: unknown): sent is SentStatement {
  return typeof sent === 'object' && sent !== null && 'text' in sent && 'values' in sent;
}

/**
 * The statements that `action` sends, in their order. Whatever it does is rolled back, also where it asks for
 * a commit. `db` must have one connection, so that they all go over it.
 */
export async function statementsOf(
  db: UnboundDatabase,
  action: () => Promise<unknown>,
): Promise<SentStatement[]> {
  await db.$executeRawUnsafe('BEGIN');
  await db.$executeRawUnsafe("SET LOCAL idle_in_transaction_session_timeout = '0'");
  const sent: SentStatement[] = [];
  const query = Client.prototype.query as (this: Client, ...parameters: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...parameters: unknown[]) {
    const [first, ...rest] = parameters;
    if (!isStatement(first)) return query.call(this, ...parameters);
    if (first.text === 'COMMIT') return query.call(this, { ...first, name: '', text: 'ROLLBACK' }, ...rest);
    if (!/^(BEGIN|ROLLBACK)$/.test(first.text)) sent.push(first);
    return query.call(this, ...parameters);
  } as typeof Client.prototype.query;
  try {
    await action();
  } finally {
    Client.prototype.query = query as typeof Client.prototype.query;
    await db.$executeRawUnsafe('ROLLBACK');
  }
  return sent;
}
