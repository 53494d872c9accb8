import { type JsonObject, matchesEvent } from '@postrider/domain';
import type { ChannelSnapshot, EnvironmentSnapshot } from '../snapshot/load.ts';
import type { PlannedRun } from './types.ts';

/** What keeps a message from being delivered to an e-mail channel. */
export type PlanFault = 'template_not_found' | 'recipient_email_missing';

export interface PlannedRuns {
  readonly runs: readonly PlannedRun[];
  /** When there is one, the runs are not to be used. */
  readonly faults: readonly PlanFault[];
}

/** The channels of the environment that take an event. */
export function channelsFor(snapshot: EnvironmentSnapshot, eventKey: string): ChannelSnapshot[] {
  return snapshot.channels.filter((channel) => matchesEvent(channel.eventKeys, eventKey));
}

/**
 * One run per channel, with the active template pinned to it (docs/specification.md, "Channel matching"): an
 * e-mail channel needs a template and `recipient.email`; a webhook without a template sends the default body.
 * @param recipient null when it is not known, its faults being reported already
 */
export function planRuns(
  snapshot: EnvironmentSnapshot,
  {
    eventKey,
    recipient,
    channels,
  }: { eventKey: string; recipient: JsonObject | null; channels: readonly ChannelSnapshot[] },
): PlannedRuns {
  const faults: PlanFault[] = [];
  if (channels.some((channel) => channel.kind === 'email')) {
    if (snapshot.activeTemplate(eventKey, 'email') === null) faults.push('template_not_found');
    if (recipient && !Object.hasOwn(recipient, 'email')) faults.push('recipient_email_missing');
  }
  const runs = channels.map(({ id, kind, name, maxAttempts }) => ({
    channel: { id, kind, name },
    templateVersionId: snapshot.activeTemplate(eventKey, kind),
    maxAttempts,
  }));
  return { runs, faults };
}
