import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type ClaimRequest, createClaim, createIngest } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, onlyRun, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function waitingRun(fixture: Fixture, changes: Parameters<typeof eventFor>[1] = {}): Promise<string> {
  return onlyRun(await createIngest(database.db)(eventFor(fixture, changes)));
}

describe('a claim with the route of a job', () => {
  it('finds no run of another environment, channel, kind or tenant, and reveals nothing about it', async () => {
    const template = {
      channelKind: 'webhook',
      eventKey: 'order.shipped',
      body: { text: 'x' },
      activate: true,
    } as const;
    const [ours, theirs] = await Promise.all([
      createFixture(database.db, { channels: [WEBHOOK], templates: [template] }),
      createFixture(database.db, { channels: [WEBHOOK] }),
    ]);
    const [own, other] = [ours, theirs].map(({ channels }) => channels[0]?.id ?? '') as [string, string];
    const templateVersionId = ours.templates[0]?.id ?? null;
    const [plain, rendered] = await Promise.all([
      waitingRun(ours),
      waitingRun(ours, { runs: plannedRuns(ours).map((run) => ({ ...run, templateVersionId })) }),
    ]);
    const { environmentId, tenantId } = ours;
    const claimOne = createClaim(database.db);
    type Said = Omit<ClaimRequest, 'runId' | 'attemptId'>;
    const said = (runId: string, run: Said) => claimOne({ runId, attemptId: randomUUID(), ...run });
    const forged: [string, Said][] = [
      [plain, { environmentId: theirs.environmentId }],
      [plain, { environmentId: theirs.environmentId, channelId: other, renderedFor: null }],
      [plain, { environmentId, channelId: other, renderedFor: null }],
      [plain, { environmentId, channelId: own, channelKind: 'email', renderedFor: null }],
      [plain, { environmentId, channelId: own, renderedFor: tenantId }],
      [rendered, { environmentId, channelId: own, renderedFor: null }],
      [rendered, { environmentId, channelId: own, renderedFor: theirs.tenantId }],
    ];
    for (const [runId, run] of forged) {
      expect(await said(runId, run)).toEqual({ outcome: 'not_claimable', status: null });
    }
    expect(await database.db.attempt.count()).toBe(0);

    const found = await Promise.all([
      said(plain, { environmentId, channelId: own, channelKind: 'webhook', renderedFor: null }),
      said(rendered, { environmentId, channelId: own, renderedFor: tenantId }),
    ]);
    expect(found.map(({ outcome }) => outcome)).toEqual(['claimed', 'claimed']);
  });
});
