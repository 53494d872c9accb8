import { type ChannelKind, type JsonObject, matchesEvent } from '@postrider/domain';
import type { ChannelSnapshot, EnvironmentSnapshot } from '../snapshot/load.ts';
import type { PlannedRun } from './types.ts';

/** What keeps a message from being delivered to a channel of this kind. */
export type PlanIssue =
  | { readonly code: 'template_not_found'; readonly kind: ChannelKind }
  | { readonly code: 'recipient_field_missing'; readonly kind: ChannelKind; readonly field: string };

export interface PlannedRuns {
  readonly runs: readonly PlannedRun[];
  /** When there is one, the runs are not to be used. */
  readonly issues: readonly PlanIssue[];
}

/** The channels of the environment that take an event. */
export function channelsFor(snapshot: EnvironmentSnapshot, eventKey: string): ChannelSnapshot[] {
  return snapshot.channels.filter((channel) => matchesEvent(channel.eventKeys, eventKey));
}

/**
 * One run per channel, with the active template pinned to it: docs/specification.md, "Channel matching". Each
 * kind says whether it needs a template, and which fields of the recipient.
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
  for (const { kind, needs } of channels) {
    if (needs.template && snapshot.activeTemplate(eventKey, kind) === null) {
      issues.set(kind, { code: 'template_not_found', kind });
    }
    for (const field of recipient ? needs.recipientFields : []) {
      if (recipient && Object.hasOwn(recipient, field)) continue;
      issues.set(`${kind} ${field}`, { code: 'recipient_field_missing', kind, field });
    }
  }
  const runs = channels.map(({ id, kind, name, maxAttempts }) => ({
    channel: { id, kind, name },
    templateVersionId: snapshot.activeTemplate(eventKey, kind),
    maxAttempts,
  }));
  return { runs, issues: [...issues.values()] };
}
