import {
  type ChannelSnapshot,
  channelsFor,
  type EnvironmentSnapshot,
  type MessageRecord,
} from '@postrider/db';
import { parseId } from '@postrider/domain';
import { type PlannedRuns, planRuns } from '../events/validate-event.ts';
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

function chooseMatching(matching: readonly ChannelSnapshot[], eventKey: string): ChosenChannels {
  if (matching.length > 0) return { channels: matching, issues: [] };
  const message = `no enabled channel takes ${eventKey}`;
  return { channels: [], issues: [{ path: '/event_key', code: 'no_matching_channel', message }] };
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
  const chosen = names ? chooseNamed(snapshot, matching, names) : chooseMatching(matching, eventKey);
  const planned = planRuns(snapshot, { eventKey, recipient, channels: chosen.channels });
  return { runs: planned.runs, issues: [...chosen.issues, ...planned.issues] };
}
