import { describe, expect, it } from '@postrider/testing';
import { chainAuditEntries, recordAudit } from '../../src/index.ts';
import { createFixture } from '../../src/testing/index.ts';
import { WEBHOOK } from '../support.ts';
import {
  actor,
  chain,
  database,
  deps,
  idOf,
  newId,
  problems,
  record,
  recordAll,
  tamper,
  useDatabase,
} from './support.ts';

useDatabase();

describe('reporting to an environment', () => {
  const report = (reportTo: string) => chainAuditEntries({ ...deps(), reportTo }, 500);
  const events = () =>
    database.db.operationalEvent.findMany({ where: { type: 'audit.recorded' }, orderBy: { id: 'asc' } });

  it('writes one event for each entry with its link, and none for old entries', async () => {
    const channel = { ...WEBHOOK, operational: true, eventKeys: ['audit.*'] };
    const { environmentId } = await createFixture(database.db, { channels: [channel] });
    await chain();
    await recordAll('a', 'b');
    await tamper(
      `INSERT INTO audit_log (id, actor, action, resource_type, resource_id, created_at)
       VALUES ('00000000-0000-7000-8000-000000000001', 'ada', 'plan.created', 'plan', 'old', now() - interval '25 hours')`,
      `INSERT INTO audit_unchained VALUES ('00000000-0000-7000-8000-000000000001')`,
    );
    expect((await report(environmentId)).links).toBe(3);
    expect((await report(environmentId)).links).toBe(0);
    const found = await events();
    expect(found.map(({ environmentId: id }) => id)).toEqual([environmentId, environmentId]);
    const link = await database.db.auditLink.findUniqueOrThrow({ where: { entryId: await idOf('b') } });
    expect(found[1]?.payload).toMatchObject({
      sequence: Number(link.sequence),
      hash: Buffer.from(link.hash).toString('hex'),
      entry_id: link.entryId,
      ...{
        actor: 'ada',
        actor_kind: 'operator',
        credential: 'ses_1',
        address: '192.0.2.1',
        reason: 'because',
      },
      ...{
        resource_id: 'b',
        is_complete: true,
        before: { code: 'b', limit: null },
        after: { code: 'b', limit: 1.5 },
      },
    });
    expect(await problems()).toEqual([]);
  });

  it('writes an event for an entry that waited more than a day for its link', async () => {
    const channel = { ...WEBHOOK, operational: true, eventKeys: ['audit.*'] };
    const { environmentId } = await createFixture(database.db, { channels: [channel] });
    await record('first');
    await chain();
    await tamper(
      `UPDATE audit_chain SET chained_at = now() - interval '3 days'`,
      `INSERT INTO audit_log (id, actor, action, resource_type, resource_id, created_at)
       VALUES ('00000000-0000-7000-8000-000000000002', 'ada', 'plan.created', 'plan', 'late', now() - interval '25 hours')`,
      `INSERT INTO audit_unchained VALUES ('00000000-0000-7000-8000-000000000002')`,
    );
    await report(environmentId);
    expect((await events()).map(({ payload }) => payload)).toMatchObject([{ resource_id: 'late' }]);
  });

  it('leaves out large states, and writes nothing without an operational channel', async () => {
    const channel = { ...WEBHOOK, operational: true, eventKeys: ['audit.*'] };
    const { environmentId } = await createFixture(database.db, { channels: [channel] });
    const other = await createFixture(database.db, { channels: [WEBHOOK] });
    await chain();
    await record('x'.repeat(200));
    await report(other.environmentId);
    expect(await events()).toEqual([]);
    const change = {
      action: 'plan.updated',
      resourceId: 'large',
      before: null,
      after: { name: 'x'.repeat(70_000) },
    } as const;
    await recordAudit(database.db, { newId, actor }, change);
    await report(environmentId);
    const [event] = await events();
    expect(event?.payload).toMatchObject({
      resource_id: 'large',
      before: null,
      after: null,
      is_complete: false,
    });
  });
});
