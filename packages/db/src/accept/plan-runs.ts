import {
  type ChannelKind,
  type FilteredEvent,
  FilterStepsExceededError,
  filterMeter,
  type JsonObject,
  matchesEvent,
} from '@postrider/domain';
import type { ChannelSnapshot, EnvironmentSnapshot } from '../snapshot/load.ts';
import type { PlannedRun } from './types.ts';

/** What keeps a message from being delivered, to a channel of this kind or to any. */
export type PlanIssue =
  | { readonly code: 'template_not_found'; readonly kind: ChannelKind }
  | { readonly code: 'recipient_field_missing'; readonly kind: ChannelKind; readonly field: string }
  /** The filters of the channels would take more steps on it than they may. */
  | { readonly code: 'too_large_for_filters' };

/** A channel that takes the event key and yet has no run. */
export interface SkippedChannel {
  readonly channel: PlannedRun['channel'];
  readonly reason: 'template_not_found' | 'filtered';
}

export interface PlannedRuns {
  readonly runs: readonly PlannedRun[];
  readonly skipped: readonly SkippedChannel[];
  /** When there is one, the runs are not to be used. */
  readonly issues: readonly PlanIssue[];
}

/** The channels of the environment that take an event, as far as its key says. */
export function channelsFor(snapshot: EnvironmentSnapshot, eventKey: string): ChannelSnapshot[] {
  return snapshot.channels.filter((channel) => matchesEvent(channel.eventKeys, eventKey));
}

/** What is to be delivered. Recipient and payload are null when they are not known, their issues being reported already. */
export interface EventToPlan {
  readonly eventKey: string;
  readonly recipient: JsonObject | null;
  readonly payload: JsonObject | null;
}

/** An event as filters see it; null when not all of it is known. */
export function filteredEvent({ eventKey, recipient, payload }: EventToPlan): FilteredEvent | null {
  return recipient && payload ? { event_key: eventKey, recipient, payload } : null;
}

/** The channels whose filters do not take the event; null when they would take more steps than they may together. */
function filteredOut(
  channels: readonly ChannelSnapshot[],
  event: FilteredEvent | null,
): ReadonlySet<ChannelSnapshot> | null {
  const out = new Set<ChannelSnapshot>();
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
 * One run per channel whose filter takes the event, with the active template pinned to it: docs/specification.md, "Channel
 * matching". Each kind says whether it needs a template, and which fields of the recipient. Where the environment skips what
 * has no template, such a channel has no run; there may then be none at all, and no issue.
 */
export function planRuns(
  snapshot: EnvironmentSnapshot,
  event: EventToPlan & { readonly channels: readonly ChannelSnapshot[] },
): PlannedRuns {
  const { eventKey, recipient, channels } = event;
  const out = filteredOut(channels, filteredEvent(event));
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
