import {
  type ChannelKind,
  type FailurePolicy,
  failurePolicyOf,
  formatId,
  type JsonObject,
  type RetryPolicy,
} from '@postrider/domain';
import type { EncryptedSecrets } from '../configure/reencrypt-secrets.ts';
import { CLAIMED_FROM, type ClaimedFields } from '../message-fields.ts';

/** The channel at the time of the claim. */
export interface ClaimedChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly config: JsonObject;
  /** Whether it only connects to public addresses, because a token configured it. */
  readonly publicOnly: boolean;
  /** Validated when the channel was configured. */
  readonly retry: RetryPolicy;
  readonly failurePolicy: FailurePolicy;
  /** Increases with every change of the channel. */
  readonly revision: number;
}

/** A claimed run with everything that the delivery needs. Ids are UUIDs, except `ids`. */
export interface ClaimedRun extends ChannelOfRuns {
  /** The public ids, for receivers, logs and traces. */
  readonly ids: Readonly<Record<'run' | 'message' | 'channel' | 'environment' | 'tenant', string>>;
  readonly runId: string;
  readonly environmentId: string;
  /** The fence: every later write of this attempt carries it. */
  readonly fence: number;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly timeoutMs: number;
  readonly dueAt: Date;
  /** No attempt begins after this time; null if the event does not expire. */
  readonly expiresAt: Date | null;
  /** Its sequence within its ordering key, from 1; null if it is not ordered. */
  readonly sequence: number | null;
  /** The `traceparent` stored with the run; null if it is not traced. */
  readonly traceparent: string | null;
  /** Start of the lease, by the database's clock. */
  readonly claimedAt: Date;
  readonly message: ClaimedFields & {
    readonly id: string;
    readonly createdAt: Date;
    /** The length of its JSON texts, which are parsed at each access. */
    readonly characters: number;
  };
  /** The template version that it was accepted with; null if it has none. */
  readonly templateVersionId: string | null;
  /** Whether a template is rendered: that version, or one of its channel. Otherwise the content is the default of its kind. */
  readonly needsRender: boolean;
}

/** What the claimed runs of a channel share. */
interface ChannelOfRuns {
  readonly tenantId: string;
  /** Whether the environment has chosen outcomes to report. The statement that ends the run decides again. */
  readonly reportsOutcomes: boolean;
  readonly channel: ClaimedChannel;
  /** The secrets of the channel, the previous one only while it is valid. The same object for all of its runs. */
  readonly encrypted: EncryptedSecrets;
}

/** What was claimed of a channel, and what was found there. */
export interface ChannelClaim {
  /** The claimed runs: tests first, then in the order of due times. */
  readonly runs: readonly ClaimedRun[];
  /** How many of them count against the limits of the channel: all but tests. */
  readonly counted: number;
  /** How many due runs it read. */
  readonly read: number;
  /** Whether it read as many due runs as it asked for: there may be more. */
  readonly isFull: boolean;
  /** The due time of the last run that was read; null for none. */
  readonly lastDue: Date | null;
  /** Whether a run with a template was due, but not claimed because `renders` was too low. */
  readonly waitsForRender: boolean;
  /** Whether the channel has limits. Without `allowed`, only tests of such a channel are claimed. */
  readonly hasLimits: boolean;
  /** Ids of runs that may not be sent. */
  readonly refused: readonly string[];
  /** The database's time of the claim. */
  readonly now: Date;
  /** Why the channel has to wait, although runs may be due; null if its limits allow more runs now, or were not asked. */
  readonly limitedBy: LimitedBy | null;
}

/** The limit of a channel that is used up. */
export type LimitedBy =
  /** Its rate allows the next run after this time. */
  | { readonly limit: 'rate'; readonly inMs: number }
  /** The most allowed runs are in flight: the end of one makes room. */
  | { readonly limit: 'in_flight' };

/** The row of a channel. Times and texts are as in {@link ChannelOfRuns}. */
interface ChannelRow
  extends Omit<ChannelOfRuns, 'channel' | 'encrypted'>,
    Omit<ClaimedChannel, 'id' | 'failurePolicy'>,
    Omit<EncryptedSecrets, 'id'> {
  readonly askedId: string;
  readonly failurePolicy: Partial<FailurePolicy> | null;
  /** How many due runs were read at most, besides tests. */
  readonly readAtMost: number;
  readonly hasLimits: boolean;
  readonly now: Date;
}

/** What the rows of due runs share. */
interface DueRow {
  readonly askedId: null;
  readonly channelId: string;
  readonly dueAt: Date;
  readonly isTest: boolean;
  readonly needsRender: boolean;
}

/** The row of a due run that was not claimed. */
interface WaitingRow extends DueRow {
  readonly waitingId: string;
  /** `send` if only a slot, a permit or the limits are missing. */
  readonly decision: string;
}

/** The row of a claimed run, with the columns of its message. */
interface RunRow
  extends DueRow,
    Omit<ClaimedRun, keyof ChannelOfRuns | keyof DueRow | 'expiresAt' | 'ids' | 'message' | 'sequence'> {
  readonly waitingId: null;
  /** Its position among the claimed runs of its channel. */
  readonly nth: number;
  readonly replay: number;
  readonly sequence: bigint | null;
  readonly messageId: string;
  readonly messageCreatedAt: Date;
}

export type ClaimRow = ChannelRow | WaitingRow | RunRow;

function toChannelOfRuns({ askedId: id, failurePolicy, ...row }: ChannelRow): ChannelOfRuns {
  const { tenantId, reportsOutcomes, kind, name, config, publicOnly, retry, revision } = row;
  const { sealedSecret, sealedPreviousSecret, sealedCredentials } = row;
  return {
    tenantId,
    reportsOutcomes,
    channel: {
      id,
      kind,
      name,
      config,
      publicOnly,
      retry,
      revision,
      failurePolicy: failurePolicyOf(failurePolicy),
    },
    encrypted: { id, sealedSecret, sealedPreviousSecret, sealedCredentials },
  };
}

/**
 * The message's fields of a row. JSON is parsed at each access, because a claimed run waits for its turn to be
 * rendered, and as objects a payload takes up to thirty times as much memory.
 */
function toClaimedFields(row: object): ClaimedFields & Pick<ClaimedRun['message'], 'characters'> {
  const values = row as Record<string, unknown>;
  const fields: Record<string, unknown> = {};
  let characters = 0;
  for (const { name, column, type } of CLAIMED_FROM) {
    const value = values[column];
    if (type !== 'jsonb') {
      fields[name] = value;
      continue;
    }
    const text = value as string;
    characters += text.length;
    Object.defineProperty(fields, name, { enumerable: true, get: () => JSON.parse(text) });
  }
  fields.characters = characters;
  return fields as unknown as ReturnType<typeof toClaimedFields>;
}

function toClaimedRun(row: RunRow, shared: ChannelOfRuns): ClaimedRun {
  const { runId, environmentId, fence, attemptNumber, maxAttempts, timeoutMs, dueAt, traceparent } = row;
  const { claimedAt, templateVersionId, needsRender, sequence, replay, messageId, messageCreatedAt } = row;
  const message = toClaimedFields(row);
  return {
    ...shared,
    ids: {
      run: formatId('run', runId),
      message: formatId('msg', messageId),
      channel: formatId('chn', shared.channel.id),
      environment: formatId('env', environmentId),
      tenant: formatId('ten', shared.tenantId),
    },
    runId,
    environmentId,
    fence,
    attemptNumber,
    maxAttempts,
    timeoutMs,
    dueAt,
    traceparent,
    claimedAt,
    templateVersionId,
    needsRender,
    sequence: sequence === null ? null : Number(sequence),
    expiresAt: replay === 0 ? message.expiresAt : null,
    message: Object.assign(message, { id: messageId, createdAt: messageCreatedAt }),
  };
}

const latest = (times: readonly Date[]): Date | null =>
  times.length === 0 ? null : new Date(Math.max(...times.map(Number)));

/** The claim of each of these channels; null if the rows have none. */
export function toChannelClaims(
  asks: readonly { readonly channelId: string; readonly renders: number }[],
  rows: readonly ClaimRow[],
): (ChannelClaim | null)[] {
  const channels = new Map<string, ChannelRow>();
  const due = new Map(asks.map(({ channelId }): [string, (WaitingRow | RunRow)[]] => [channelId, []]));
  for (const row of rows) {
    if (row.askedId === null) due.get(row.channelId)?.push(row);
    else channels.set(row.askedId, row);
  }
  return asks.map(({ channelId, renders }) => {
    const channel = channels.get(channelId);
    if (!channel) return null;
    const read = due.get(channelId) ?? [];
    const waiting = read.filter((row) => row.waitingId !== null);
    const claimed = read.filter((row) => row.waitingId === null).sort((a, b) => a.nth - b.nth);
    const counted = read.filter(({ isTest }) => !isTest);
    const refused = waiting.filter(({ decision }) => decision !== 'send');
    const toRender = read.filter(({ needsRender }) => needsRender).length;
    const shared = toChannelOfRuns(channel);
    return {
      runs: claimed.map((row) => toClaimedRun(row, shared)),
      counted: claimed.filter(({ isTest }) => !isTest).length,
      read: read.length,
      isFull: channel.readAtMost > 0 && counted.length >= channel.readAtMost,
      lastDue: latest(counted.map(({ dueAt }) => dueAt)),
      waitsForRender: toRender - refused.filter(({ needsRender }) => needsRender).length > renders,
      hasLimits: channel.hasLimits,
      refused: refused.map(({ waitingId }) => waitingId),
      now: channel.now,
      limitedBy: null,
    };
  });
}
