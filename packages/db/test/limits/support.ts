import { createUuidV7Source } from '@postrider/domain';
import {
  type ChannelClaim,
  type ClaimAsk,
  claimWithinLimits,
  createIngest,
  type Database,
  refuseRuns,
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
  const runIds = (await Promise.all(events)).flatMap(({ wakeUps }) => wakeUps.map(({ runId }) => runId));
  await db.$executeRaw`
    UPDATE delivery_runs run SET due_at = now() - interval '1 minute' + make_interval(secs => place / 1000.0)
      FROM unnest(${runIds}::uuid[]) WITH ORDINALITY AS asked (id, place) WHERE run.id = asked.id`;
  return { fixture, channelId, environmentId: fixture.environmentId, runIds };
}

/** Changes the limits of a channel. */
export const setLimits = (db: UnboundDatabase, channelId: string, limits: Limits) =>
  db.channel.update({ where: { id: channelId }, data: limits });

export const RULES = { addressHashKey: null };

/** What a claim of up to `room` runs asks for. */
export const askFor = ({ channelId, environmentId }: Limited, room = 128): ClaimAsk => ({
  ...{ channelId, environmentId, slots: room, renders: 0, since: null },
  attemptIds: Array.from({ length: room }, newId),
});

interface Claimed {
  readonly answer: ChannelClaim | null;
  readonly limitedBy: ChannelClaim['limitedBy'];
  readonly claimed: readonly string[];
  readonly refused: number;
}

/** One claim, by default with room for everything, repeated while another claim holds the channel. Then it refuses runs. */
export async function claimOnce(
  db: Database,
  channel: Limited,
  { ahead = 0, room = 128 }: { ahead?: number; room?: number } = {},
): Promise<Claimed> {
  const ask = () => claimWithinLimits(db, { ...askFor(channel, room), ahead }, RULES);
  let answer = await ask();
  while (answer === 'missed') answer = await ask();
  const { environmentId } = channel;
  const toRefuse = (answer?.refused ?? []).map((runId) => ({
    runId,
    environmentId,
    attemptId: newId(),
  }));
  const refused = toRefuse.length === 0 ? 0 : await refuseRuns(db, toRefuse, RULES);
  const limitedBy = answer?.limitedBy ?? null;
  return { answer, limitedBy, refused, claimed: answer?.runs.map(({ runId }) => runId) ?? [] };
}
