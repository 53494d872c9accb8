import { randomBytes } from 'node:crypto';
import { createUuidV7Source } from '@postrider/domain';
import { afterEach, beforeEach, expect } from '@postrider/testing';
import { Client } from 'pg';
import {
  type AuditProblem,
  chainAuditEntries,
  recordAudit,
  type UnboundDatabase,
  VERIFY_START,
  type VerifyPosition,
  verifyAuditLog,
} from '../../src/index.ts';
import { actorNamed, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';

export const newId = createUuidV7Source();
export const key = randomBytes(32);
/** A database for each test. */
export let database: TestDatabase;
/** Creates and drops the database of each test of the file. */
export function useDatabase(): void {
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());
}

export const deps = () => ({ db: database.db, key });

/** An actor with every field, so that each column has a value. */
export const actor = {
  ...actorNamed('ada', 'request-1'),
  ...{ credentialId: 'ses_1', address: '192.0.2.1', reason: 'because', traceId: 'trace-1' },
};

export async function record(
  resourceId: string,
  db: Parameters<typeof recordAudit>[0] = database.db,
): Promise<void> {
  const place = { tenantId: newId(), environmentId: newId() };
  const states = { before: { code: resourceId, limit: null }, after: { code: resourceId, limit: 1.5 } };
  await recordAudit(db, { newId, actor }, { action: 'plan.updated', resourceId, ...place, ...states });
}

export async function recordAll(...resourceIds: string[]): Promise<void> {
  for (const id of resourceIds) await record(id);
}

export async function chain(limit = 500): Promise<number> {
  const { links } = await chainAuditEntries(deps(), limit);
  return links;
}

/** The id of the entry about a resource. */
export async function idOf(resourceId: string): Promise<string> {
  const { id } = await database.db.auditEntry.findFirstOrThrow({ where: { resourceId } });
  return id;
}

/** The resources in the order of the chain. */
export async function chained(): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ resource_id: string; sequence: bigint }[]>`
    SELECT resource_id, sequence FROM audit_chain JOIN audit_log ON audit_log.id = entry_id ORDER BY sequence`;
  expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, index) => index + 1));
  return rows.map(({ resource_id: id }) => id);
}

/** Every problem of the audit log. */
export async function problems(
  keyed: { db: UnboundDatabase; key: Uint8Array } = deps(),
): Promise<AuditProblem[]> {
  const found: AuditProblem[] = [];
  let position: VerifyPosition | null = VERIFY_START;
  while (position) {
    const page: Awaited<ReturnType<typeof verifyAuditLog>> = await verifyAuditLog(keyed, position);
    if (page.problem) found.push(page.problem);
    position = page.next;
  }
  return found;
}

/** Runs statements as the owner of the tables, who can disable triggers. */
export async function tamper(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const table of ['audit_log', 'audit_chain'])
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    for (const statement of statements) await client.query(statement);
    for (const table of ['audit_log', 'audit_chain'])
      await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  } finally {
    await client.end();
  }
}
