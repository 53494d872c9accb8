import {
  type ChannelKind,
  createUuidV7Source,
  type EventToFilter,
  filteredEvent,
  filterMeter,
  type MessageKey,
  matchesEvent,
  type RunStatus,
  type WakeUp,
  withinSteps,
} from '@postrider/domain';
import type { NewMessage } from '../message-fields.ts';
import type { ConsumerSnapshot } from '../snapshot/consumers.ts';
import type { ChannelSnapshot, EnvironmentSnapshot } from '../snapshot/load.ts';
import type { WriteAudit } from '../transactions/audit.ts';
import type { ResponseToStore } from './idempotency.ts';

/** A run that acceptance creates: one for each enabled channel that takes the event. */
export interface PlannedRun {
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly templateVersionId: string | null;
  readonly maxAttempts: number;
  /** Whether it waits because its channel is paused. Default: no. */
  readonly isHeld?: boolean;
  /** Whether its channel is ordered by ordering key. Default: no. */
  readonly isOrdered?: boolean;
}

/** A new run with its id. Ids are UUIDs. */
export interface CreatedRun extends PlannedRun {
  readonly id: string;
  readonly status: Extract<RunStatus, 'scheduled' | 'queued'>;
  readonly scheduledAt: Date | null;
}

/** The rows that an event, a test or a replay creates. Ids are UUIDs. */
export interface Creation {
  readonly tenantId: string;
  readonly environmentId: string;
  readonly messageId: string;
  readonly createdAt: Date;
  /** Left out or null for a replay, whose message exists already. */
  readonly message?: NewMessage | null;
  /** Empty for an event without channels, if the environment stores such events. */
  readonly runs: readonly CreatedRun[];
  /** The consumer whose caller replays, which is charged as for an event. Default: none. */
  readonly replayedBy?: string | null;
  /** 0 for the runs of the event, n for those of its n-th replay. Default: 0. */
  readonly replay?: number;
  /** `traceparent` of the request. Default: it is not traced. */
  readonly traceparent?: string | null;
  /** The response of an event, or of a replay with an Idempotency-Key. Default: none. */
  readonly response?: ResponseToStore | null;
  /** The business ids of an event, by which it is found. Default: none. */
  readonly keys?: readonly MessageKey[];
  /** The audit entry of an operator's event or replay. */
  readonly audit?: WriteAudit | undefined;
}

/** Tells workers after the commit that the channel of a run has work. The queue ignores the run, which audit entries name. */
export interface RunWakeUp extends WakeUp {
  readonly runId: string;
}

/** Why a message cannot be delivered, to channels of one kind or to any. */
export type PlanIssue =
  | { readonly code: 'template_not_found'; readonly kind: ChannelKind }
  | { readonly code: 'recipient_field_missing'; readonly kind: ChannelKind; readonly field: string }
  /** The filters of the channels would need more steps than the limit. */
  | { readonly code: 'too_large_for_filters' };

/** A channel that subscribes to the event key but gets no run. */
export interface SkippedChannel {
  readonly channel: PlannedRun['channel'];
  readonly reason: 'template_not_found' | 'filtered';
}

export interface PlannedRuns {
  readonly runs: readonly PlannedRun[];
  readonly skipped: readonly SkippedChannel[];
  /** If there are any, the runs must not be used. */
  readonly issues: readonly PlanIssue[];
}

/** The channels that take events: those of the environment, and those of the event's consumer that it and the plan allow. */
export function usableChannels(
  { channels, plan }: EnvironmentSnapshot,
  consumer: ConsumerSnapshot | null,
): readonly ChannelSnapshot[] {
  if (consumer === null) return channels;
  const allowed = ({ kind }: ChannelSnapshot) =>
    plan.channelKinds.includes(kind) && (consumer.channelKinds?.includes(kind) ?? true);
  return [...channels, ...consumer.channels.filter(allowed)];
}

/** The usable channels that subscribe to an event key. */
export function channelsFor(
  snapshot: EnvironmentSnapshot,
  consumer: ConsumerSnapshot | null,
  eventKey: string,
): ChannelSnapshot[] {
  return usableChannels(snapshot, consumer).filter((channel) => matchesEvent(channel.eventKeys, eventKey));
}

/** The channels whose filters reject the event. Null if all filters together would need too many steps. */
function filteredOut(
  channels: readonly ChannelSnapshot[],
  toPlan: EventToFilter,
  consumer: ConsumerSnapshot | null,
): ReadonlySet<ChannelSnapshot> | null {
  const out = new Set<ChannelSnapshot>();
  const event = channels.some(({ filter }) => filter !== null) ? filteredEvent(toPlan, consumer) : null;
  if (event === null) return out;
  const meter = filterMeter(event);
  return withinSteps(() => {
    for (const channel of channels) {
      if (channel.filter && !channel.filter.holds(event, meter)) out.add(channel);
    }
    return out;
  }, null);
}

/**
 * Plans one run for each of these channels whose filter accepts the event, with its active template version (docs/specification.md,
 * "Channel matching"). Each kind says whether it needs a template, and which fields of the recipient. If the
 * environment skips missing email templates, such a channel gets no run; then there may be no runs and no issues.
 * @param event recipient and payload are null if they are invalid, because their issues are already reported
 */
export function planRuns(
  { activeTemplates, settings }: EnvironmentSnapshot,
  event: EventToFilter,
  consumer: ConsumerSnapshot | null,
  channels: readonly ChannelSnapshot[],
): PlannedRuns {
  const { eventKey, recipient } = event;
  const out = filteredOut(channels, event, consumer);
  if (out === null) return { runs: [], skipped: [], issues: [{ code: 'too_large_for_filters' }] };
  const issues = new Map<string, PlanIssue>();
  const runs: PlannedRun[] = [];
  const skipped: SkippedChannel[] = [];
  for (const entry of channels) {
    const { id, kind, name, maxAttempts, isPaused, isOrdered, needs } = entry;
    const channel = { id, kind, name };
    if (out.has(entry)) {
      skipped.push({ channel, reason: 'filtered' });
      continue;
    }
    const templateVersionId = activeTemplates.get(kind)?.get(eventKey) ?? null;
    if (needs.template && templateVersionId === null) {
      if (settings.missingEmailTemplate === 'skip') {
        skipped.push({ channel, reason: 'template_not_found' });
        continue;
      }
      issues.set(kind, { code: 'template_not_found', kind });
    }
    for (const field of recipient ? needs.recipientFields : []) {
      if (recipient && Object.hasOwn(recipient, field)) continue;
      issues.set(`${kind} ${field}`, { code: 'recipient_field_missing', kind, field });
    }
    runs.push({ channel, templateVersionId, maxAttempts, isHeld: isPaused, isOrdered });
  }
  return { runs, skipped, issues: [...issues.values()] };
}

/**
 * Turns planned runs into runs dated `now`: `scheduled` if their time is in the future, otherwise `queued` and due at
 * once. A scheduled run is not held before its time.
 * @param messageId id of the replayed message; a new one if left out
 */
export function draftRuns(
  planned: readonly PlannedRun[],
  { now, scheduleAt = null, messageId }: { now: Date; scheduleAt?: Date | null; messageId?: string },
): Pick<Creation, 'messageId' | 'createdAt' | 'runs'> {
  const newId = createUuidV7Source(() => now.getTime());
  const ahead = scheduleAt !== null && scheduleAt > now;
  return {
    messageId: messageId ?? newId(),
    createdAt: now,
    runs: planned.map((run) => ({
      ...run,
      id: newId(),
      status: ahead ? 'scheduled' : 'queued',
      scheduledAt: ahead ? scheduleAt : null,
      isHeld: !ahead && run.isHeld === true,
    })),
  };
}

/**
 * The wake-ups for new runs, to enqueue after the commit.
 * @param behind ids of the runs that wait for earlier runs of their ordering key
 */
export function wakeUpsOf(
  { runs, createdAt }: Pick<Creation, 'runs' | 'createdAt'>,
  behind: ReadonlySet<string> = new Set(),
): RunWakeUp[] {
  return runs
    .filter(({ id, isHeld }) => !isHeld && !behind.has(id))
    .map((run) => ({
      runId: run.id,
      channelId: run.channel.id,
      channelKind: run.channel.kind,
      delayMs: run.scheduledAt ? run.scheduledAt.getTime() - createdAt.getTime() : 0,
      dueMs: (run.scheduledAt ?? createdAt).getTime(),
    }));
}
