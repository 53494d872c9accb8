import {
  type ChannelKind,
  type EventToFilter,
  FilterStepsExceededError,
  filteredEvent,
  filterMeter,
  matchesEvent,
} from '@postrider/domain';
import type { ConsumerSnapshot } from '../snapshot/consumers.ts';
import type { ChannelSnapshot, EnvironmentSnapshot } from '../snapshot/load.ts';
import type { PlannedRun } from './store.ts';

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

/**
 * The event to deliver. Recipient and payload are null if they are invalid, because their issues are already
 * reported.
 */
export type EventToPlan = EventToFilter;

/** The channels whose filters reject the event. Null if all filters together would need too many steps. */
function filteredOut(
  channels: readonly ChannelSnapshot[],
  toPlan: EventToPlan,
): ReadonlySet<ChannelSnapshot> | null {
  const out = new Set<ChannelSnapshot>();
  const event = channels.some(({ filter }) => filter !== null) ? filteredEvent(toPlan) : null;
  if (event === null) return out;
  const meter = filterMeter(event);
  try {
    for (const channel of channels) {
      if (channel.filter && !channel.filter.holds(event, meter)) out.add(channel);
    }
    return out;
  } catch (error) {
    if (error instanceof FilterStepsExceededError) return null;
    throw error;
  }
}

/**
 * Plans one run per channel whose filter accepts the event, with its active template version (docs/specification.md,
 * "Channel matching"). Each kind says whether it needs a template, and which fields of the recipient. If the
 * environment skips missing email templates, such a channel gets no run; then there may be no runs and no issues.
 */
export function planRuns(
  snapshot: EnvironmentSnapshot,
  event: EventToPlan & { readonly channels: readonly ChannelSnapshot[] },
): PlannedRuns {
  const { eventKey, recipient, channels } = event;
  const out = filteredOut(channels, event);
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
    const templateVersionId = snapshot.activeTemplate(eventKey, kind);
    if (needs.template && templateVersionId === null) {
      if (snapshot.settings.missingEmailTemplate === 'skip') {
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
