import { createUuidV7Source } from '@postrider/domain';
import {
  createClaimWithinLimits,
  createIngest,
  type Database,
  type LimitedClaim,
  type UnboundDatabase,
} from '../../src/index.ts';
import { createFixture, type Fixture } from '../../src/testing/index.ts';
import { accepted, eventFor, WEBHOOK } from '../support.ts';

export const newId = createUuidV7Source();

export interface Limits {
  readonly maxPerSecond?: number | null;
  readonly maxInFlight?: number | null;
}

/** A channel with limits and its due runs. */
export interface Limited {
  readonly fixture: Fixture;
  readonly channelId: string;
  readonly environmentId: string;
  /** Sorted by due time. */
  readonly runIds: readonly string[];
}

/** Creates a channel with these limits and `count` due runs. */
export async function createLimited(
  db: UnboundDatabase,
  limits: { readonly maxPerSecond?: number; readonly maxInFlight?: number },
  count: number,
): Promise<Limited> {
  const fixture = await createFixture(db, { channels: [{ ...WEBHOOK, ...limits }] });
  const channelId = fixture.channels[0]?.id ?? '';
  const ingest = createIngest(db);
  const events = Array.from({ length: count }, () => ingest(eventFor(fixture)).then(accepted));
  const runIds = (await Promise.all(events)).flatMap(({ enqueue }) => enqueue.map(({ runId }) => runId));
  await db.$executeRaw`
    UPDATE delivery_runs run SET due_at = now() - interval '1 minute' + make_interval(secs => place / 1000.0)
      FROM unnest(${runIds}::uuid[]) WITH ORDINALITY AS asked (id, place) WHERE run.id = asked.id`;
  return { fixture, channelId, environmentId: fixture.environmentId, runIds };
}

/** Changes the limits of a channel. */
export const setLimits = (db: UnboundDatabase, channelId: string, limits: Limits) =>
  db.channel.update({ where: { id: channelId }, data: limits });

export const claimer = (db: Database) => createClaimWithinLimits(db, { newId });

/** One claim with room for everything, repeated while another claim holds the channel. */
export async function claimOnce(
  db: Database,
  { channelId, environmentId }: Limited,
  more: { searchesAhead?: boolean; room?: number } = {},
): Promise<LimitedClaim & { readonly claimed: readonly string[] }> {
  const claim = claimer(db);
  let room = more.room ?? Number.POSITIVE_INFINITY;
  const ask = () =>
    claim({
      ...{ channelId, environmentId, searchesAhead: more.searchesAhead ?? false },
      reserve() {
        room -= 1;
        return room >= 0;
      },
    });
  let result = await ask();
  while (result.rest === 'busy') result = await ask();
  const claimed = [...result.outcomes].filter(([, { outcome }]) => outcome === 'claimed').map(([id]) => id);
  return { ...result, claimed };
}
