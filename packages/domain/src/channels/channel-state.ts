import { presentFields } from '../present.ts';
import type { JsonObject } from '../storable-json.ts';
import { formatOptionalTime, formatTime } from '../timestamp.ts';
import type { ChannelHealth, HealthReason } from './channel-health.ts';

/** The states of a channel, those that need somebody first: the order of lists by state. */
export const CHANNEL_STATES = [
  'failing',
  'paused',
  'probing',
  'blocked',
  'working',
  'no_traffic',
  'disabled',
] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

/** Those that need somebody, in the same order. */
export const NEED_ACTION: readonly ChannelState[] = ['failing', 'paused', 'probing', 'blocked'];

/** A channel that has succeeded lately fails from this many failed attempts in a row, because a single failure is retried. */
export const FAILING_FROM = 3;
/** Days for which a failure counts, and a success before it. */
export const FAILING_DAYS = 1;

/** What decides about the state of a channel, besides its health. */
export interface StateFacts {
  /** When its last pause began. */
  readonly pausedAt: Date | null;
  /** Whether a run tests the paused channel. */
  readonly isProbing: boolean;
  /** Failed attempts since the minute of the last success, if there were any in the last day. */
  readonly failures: number;
  readonly failuresSince: Date | null;
  /** Whether an attempt succeeded in the last day. */
  readonly hasSucceeded: boolean;
  /** Its blocked ordering keys, counted up to 1,000, and when the first was blocked. */
  readonly blockedKeys: number;
  readonly blockedSince: Date | null;
  /** Whether an attempt was ever counted. */
  readonly hasTraffic: boolean;
}

/** What a channel has done lately. Ids are UUIDs. */
export interface ChannelActivity {
  /** The newest attempt that ended; null if none is among its newest runs. */
  readonly lastReply: {
    readonly at: Date;
    readonly outcome: string;
    readonly statusCode: number | null;
    readonly errorCode: string | null;
    readonly errorMessage: string | null;
    readonly messageId: string;
    readonly runId: string;
    readonly attempt: number;
  } | null;
  /** Attempts by outcome in each of the last 24 hours (UTC), oldest first. The last one is running. */
  readonly hours: readonly { readonly start: Date; readonly succeeded: number; readonly failed: number }[];
}

export const NO_FACTS: StateFacts = {
  pausedAt: null,
  isProbing: false,
  failures: 0,
  failuresSince: null,
  hasSucceeded: false,
  blockedKeys: 0,
  blockedSince: null,
  hasTraffic: false,
};
export const NO_ACTIVITY: ChannelActivity = { lastReply: null, hours: [] };

interface Described {
  readonly enabled: boolean;
  readonly health: ChannelHealth;
}

/** The state of a channel, and since when it is in it; null if that is not known. */
export function channelStateOf(
  { enabled, health }: Described,
  facts: StateFacts,
): { readonly code: ChannelState; readonly since: Date | null; readonly reason: HealthReason | null } {
  if (!enabled) return { code: 'disabled', since: null, reason: null };
  const { reason } = health;
  if (health.state === 'paused')
    return { code: facts.isProbing ? 'probing' : 'paused', since: facts.pausedAt, reason };
  if (health.state === 'failing') return { code: 'failing', since: health.failingSince, reason };
  if (facts.failures >= (facts.hasSucceeded ? FAILING_FROM : 1))
    return { code: 'failing', since: facts.failuresSince, reason: 'failures' };
  if (facts.blockedKeys > 0) return { code: 'blocked', since: facts.blockedSince, reason: null };
  return { code: facts.hasTraffic ? 'working' : 'no_traffic', since: null, reason: null };
}

const REPLY = [
  ...(['at', 'outcome', 'statusCode', 'errorCode', 'errorMessage'] as const),
  ...(['messageId', 'runId', 'attempt'] as const),
];

/** The state of a channel as the API shows it (docs/specification.md, "Channel health"). */
export function presentState(channel: Described, facts: StateFacts, activity: ChannelActivity): JsonObject {
  const { lastReply, hours } = activity;
  const hasTraffic = facts.hasTraffic || lastReply !== null;
  const { code, since, reason } = channelStateOf(channel, { ...facts, hasTraffic });
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const attempts = hours.reduce((sum, hour) => sum + hour.failed, succeeded);
  return {
    code,
    since: formatOptionalTime(since),
    reason,
    next_probe_at: formatOptionalTime(channel.health.nextProbeAt),
    blocked_keys: facts.blockedKeys,
    last_reply: lastReply && presentFields(lastReply, REPLY),
    success_rate: attempts === 0 ? null : succeeded / attempts,
    hours: hours.map((hour) => ({ ...hour, start: formatTime(hour.start) })),
  };
}
