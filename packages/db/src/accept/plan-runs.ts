import { type ChannelKind, type JsonObject, matchesEvent } from '@postrider/domain';
import type { ChannelSnapshot, EnvironmentSnapshot } from '../snapshot/load.ts';
import type { PlannedRun } from './types.ts';

/** What keeps a message from being delivered to a channel of this kind. */
export type PlanIssue =
  | { readonly code: 'template_not_found'; readonly kind: ChannelKind }
  | { readonly code: 'recipient_field_missing'; readonly kind: ChannelKind; readonly field: string };

/** A channel that takes the event key and yet has no run. */
export interface SkippedChannel {
  readonly channel: PlannedRun['channel'];
  readonly reason: 'template_not_found';
}

export interface PlannedRuns {
  readonly runs: readonly PlannedRun[];
  readonly skipped: readonly SkippedChannel[];
  /** When there is one, the runs are not to be used. */
  readonly issues: readonly PlanIssue[];
}

/** The channels of the environment that take an event. */
export function channelsFor(snapshot: EnvironmentSnapshot, eventKey: string): ChannelSnapshot[] {
  return snapshot.channels.filter((channel) => matchesEvent(channel.eventKeys, eventKey));
}

/**
 * One run per channel, with the active template pinned to it: docs/specification.md, "Channel matching". Each
 * kind says whether it needs a template, and which fields of the recipient. Where the environment skips what has no
 * template, such a channel has no run; there may then be none at all, and no issue.
 * @param recipient null when it is not known, its issues being reported already
 */
export function planRuns(
  snapshot: EnvironmentSnapshot,
  {
    eventKey,
    recipient,
    channels,
  }: { eventKey: string; recipient: JsonObject | null; channels: readonly ChannelSnapshot[] },
): PlannedRuns {
  const issues = new Map<string, PlanIssue>();
  const runs: PlannedRun[] = [];
  const skipped: SkippedChannel[] = [];
  for (const { id, kind, name, maxAttempts, needs } of channels) {
    const channel = { id, kind, name };
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
    runs.push({ channel, templateVersionId, maxAttempts });
  }
  return { runs, skipped, issues: [...issues.values()] };
}
