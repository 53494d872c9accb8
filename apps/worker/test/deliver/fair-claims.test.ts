import { createClaimWithinLimits, createTenantLookup, type Database, openDatabase } from '@postrider/db';
import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createFairClaims } from '../../src/deliver/fair-claims.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';

let harness: Harness;
let db: Database;
beforeAll(async () => {
  harness = await startHarness();
  db = openDatabase(harness.databaseUrl);
});
afterAll(async () => {
  await db.$disconnect();
  await harness.close();
});

describe('claims of channels with limits', () => {
  it('take turns by tenant: the only channel of one comes soon behind forty of another', async () => {
    const channels = (count: number) =>
      Array.from({ length: count }, (_, place) => ({
        ...webhookChannel('http://127.0.0.1:9/'),
        ...{ name: `hook ${place}`, maxPerSecond: 1 },
      }));
    const many = await harness.fixture({ channels: channels(20) });
    const alsoTheirs = await harness.fixture({ channels: channels(20), tenantId: many.tenantId });
    const one = await harness.fixture({ channels: channels(1) });
    for (const fixture of [many, alsoTheirs, one]) await harness.accept(fixture, { enqueue: false });

    const begun: string[] = [];
    const claim = createFairClaims({
      claimWithin: createClaimWithinLimits(db, { newId: createUuidV7Source() }),
      tenantOf: createTenantLookup(db),
    });
    const asked = [many, alsoTheirs, one].flatMap(({ environmentId, channels: of }) =>
      of.map(({ id }) => ({ channelId: id, environmentId })),
    );
    const rests = await Promise.all(
      asked.map((channel) =>
        claim({ ...channel, reserve: () => true, onBegin: () => begun.push(channel.channelId) }),
      ),
    );
    expect(begun).toHaveLength(41);
    expect(begun.indexOf(one.channels[0]?.id ?? '')).toBeLessThan(10);
    // The first claim of a channel makes its row.
    expect(new Set(rests.map(({ rest }) => rest))).toEqual(new Set(['busy']));
  });
});
