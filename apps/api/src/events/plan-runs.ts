import type { ChannelSnapshot, EnvironmentSnapshot, PlannedRun } from '@postrider/db';
import { type JsonObject, matchesEvent } from '@postrider/domain';
import type { Detail } from '../http/reply.ts';

export interface PlannedRuns {
  readonly runs: readonly PlannedRun[];
  /** What keeps the event from being delivered to every channel; the runs are then not to be used. */
  readonly faults: readonly Detail[];
}

/** The enabled channels that take an event. */
export function channelsFor(snapshot: EnvironmentSnapshot, eventKey: string): ChannelSnapshot[] {
  return snapshot.channels.filter((channel) => matchesEvent(channel.eventKeys, eventKey));
}

function templateMissing(eventKey: string): Detail {
  return {
    path: '/event_key',
    code: 'template_not_found',
    message: `no template for e-mail is active for ${eventKey}`,
  };
}

/**
 * One run per channel, with the active template pinned to it (contract section 4): an e-mail channel needs a
 * template and `recipient.email`; a webhook without a template sends the default body.
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
  const faults: Detail[] = [];
  if (channels.some((channel) => channel.kind === 'email')) {
    if (snapshot.activeTemplate(eventKey, 'email') === null) faults.push(templateMissing(eventKey));
    if (recipient && !Object.hasOwn(recipient, 'email')) {
      faults.push({
        path: '/recipient/email',
        code: 'required',
        message: 'is required, because an e-mail channel takes this event',
      });
    }
  }
  const runs = channels.map(({ id, kind, name, maxAttempts }) => ({
    channel: { id, kind, name },
    templateVersionId: snapshot.activeTemplate(eventKey, kind),
    maxAttempts,
  }));
  return { runs, faults };
}
