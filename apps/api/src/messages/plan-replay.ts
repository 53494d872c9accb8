import {
  type ChannelSnapshot,
  channelsFor,
  type EnvironmentSnapshot,
  type MessageRecord,
  type SkippedChannel,
} from '@postrider/db';
import { formatId, parseId } from '@postrider/domain';
import { noChannelTakes, type PlannedRuns, planRuns } from '../events/validate-event.ts';
import type { Detail } from '../http/reply.ts';

interface ChosenChannels {
  readonly channels: readonly ChannelSnapshot[];
  readonly issues: readonly Detail[];
}

/** The channels that the body names. One that is disabled, deleted or not this environment's is unknown. */
function chooseNamed(
  snapshot: EnvironmentSnapshot,
  matching: readonly ChannelSnapshot[],
  names: readonly string[],
): ChosenChannels {
  const channels: ChannelSnapshot[] = [];
  const issues: Detail[] = [];
  names.forEach((name, index) => {
    const id = parseId('chn', name);
    const path = `/channels/${index}`;
    const taking = matching.find((channel) => channel.id === id);
    if (taking) {
      channels.push(taking);
    } else if (snapshot.channels.some((channel) => channel.id === id)) {
      issues.push({ path, code: 'no_matching_channel', message: 'does not take the event of this message' });
    } else {
      issues.push({
        path,
        code: 'unknown_channel',
        message: 'is not an enabled channel of this environment',
      });
    }
  });
  return { channels, issues };
}

/** The issues of channels that were asked for and have no run. */
function skippedIssues(skipped: readonly SkippedChannel[], names: readonly string[]): Detail[] {
  return skipped.map(({ channel, reason }) => ({
    path: `/channels/${names.indexOf(formatId('chn', channel.id))}`,
    code: reason,
    message: `has no active ${channel.kind} template for the event of this message`,
  }));
}

/**
 * Resolves a message's channels and templates as they are now, with the issues that ingestion would name
 * (docs/specification.md, "Replay").
 * @param names public ids of the channels that were asked for; null for all that take the event
 */
export function planReplay(
  snapshot: EnvironmentSnapshot,
  { eventKey, recipient }: MessageRecord,
  names: readonly string[] | null,
): PlannedRuns {
  const matching = channelsFor(snapshot, eventKey);
  const chosen = names ? chooseNamed(snapshot, matching, names) : { channels: matching, issues: [] };
  const planned = planRuns(snapshot, { eventKey, recipient, channels: chosen.channels });
  const issues = [
    ...chosen.issues,
    ...planned.issues,
    ...(names ? skippedIssues(planned.skipped, names) : []),
  ];
  if (planned.runs.length === 0 && issues.length === 0) issues.push(noChannelTakes(eventKey));
  return { ...planned, issues };
}
