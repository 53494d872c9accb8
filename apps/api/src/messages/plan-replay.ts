import {
  type ChannelSnapshot,
  type ConsumerSnapshot,
  channelsFor,
  type EnvironmentSnapshot,
  type MessageRecord,
  type PlannedRuns,
  planRuns,
  type SkippedChannel,
  usableChannels,
} from '@postrider/db';
import {
  type Detail,
  type FilteredEvent,
  FilterMeter,
  filteredEvent,
  formatId,
  type JsonObject,
  MAX_FILTER_STEPS,
  parseId,
} from '@postrider/domain';
import { noChannelTakes, toDetail } from '../events/issues.ts';

interface ChosenChannels {
  readonly channels: readonly ChannelSnapshot[];
  readonly issues: readonly Detail[];
}

/** The channels that the body lists. Disabled and deleted ones, and those of other environments, are unknown. */
function chooseNamed(
  usable: readonly ChannelSnapshot[],
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
    } else if (usable.some((channel) => channel.id === id)) {
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

/** A channel that subscribes to the event key of a message and gets no run in its replay. */
export interface NotReplayed extends SkippedChannel {
  /** JSON Pointer to the first false condition of its filter; null if the filter is not the reason. */
  readonly condition: string | null;
}

export interface PlannedReplay extends Pick<PlannedRuns, 'runs'> {
  readonly skipped: readonly NotReplayed[];
  /** If there are any, the runs must not be used. */
  readonly issues: readonly Detail[];
}

function failingCondition(
  channels: readonly ChannelSnapshot[],
  event: FilteredEvent | null,
  { channel, reason }: SkippedChannel,
): string | null {
  const filter = channels.find(({ id }) => id === channel.id)?.filter;
  if (reason !== 'filtered' || !filter || !event) return null;
  // Planning has evaluated it with the same limit of steps.
  return filter.failing(event, new FilterMeter(2 * MAX_FILTER_STEPS));
}

/** Why a message would have no run at all. */
function nothingToReplay(
  eventKey: string,
  skipped: readonly NotReplayed[],
  names: readonly string[] | null,
): Detail[] {
  if (!names) return [noChannelTakes(eventKey)];
  return skipped.map(({ channel, reason, condition }) => ({
    path: `/channels/${names.indexOf(formatId('chn', channel.id))}`,
    code: reason === 'filtered' ? 'no_matching_channel' : reason,
    message:
      reason === 'filtered'
        ? `does not take the event of this message: ${condition} of its filter is false`
        : `has no active ${channel.kind} template for the event of this message`,
  }));
}

/**
 * Plans the runs of a replay with the current channels, filters and templates, with the same issues as for an event
 * (docs/specification.md, "Replay").
 * @param names public ids of the requested channels; null for all that take the event
 */
export function planReplay(
  snapshot: EnvironmentSnapshot,
  { message, consumer }: { readonly message: MessageRecord; readonly consumer: ConsumerSnapshot | null },
  names: readonly string[] | null,
): PlannedReplay {
  const { eventKey } = message;
  const matching = channelsFor(snapshot, consumer, eventKey);
  const chosen = names
    ? chooseNamed(usableChannels(snapshot, consumer), matching, names)
    : { channels: matching, issues: [] };
  const { channels } = chosen;
  // As an object the payload takes up to thirty times as much, so only filters that need it get it, and nobody keeps it.
  const isFiltered = channels.some(({ filter }) => filter !== null);
  const recipient = JSON.parse(message.recipient) as JsonObject;
  const payload = isFiltered ? (JSON.parse(message.payload) as JsonObject) : null;
  const event = { eventKey, recipient, payload };
  const { runs, ...planned } = planRuns(snapshot, event, consumer, channels);
  const filtered = filteredEvent(event, consumer);
  const skipped = planned.skipped.map((entry) => ({
    ...entry,
    condition: failingCondition(channels, filtered, entry),
  }));
  const issues = [...chosen.issues, ...planned.issues.map((issue) => toDetail(issue, eventKey))];
  const isEmpty = runs.length === 0 && issues.length === 0;
  return { runs, skipped, issues: isEmpty ? nothingToReplay(eventKey, skipped, names) : issues };
}
