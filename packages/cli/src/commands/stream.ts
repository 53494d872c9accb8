import type { CallOptions, StreamEvent } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import type { MessageSource } from '../deliveries.ts';
import { unavailability } from '../failure.ts';
import { type Style, status as styled } from '../output/style.ts';
import { time } from '../output/text.ts';
import type { Session } from '../session.ts';
import { given } from '../values.ts';

/** Messages per read of the list. */
const LISTED = 100;
/** Messages and runs whose status is remembered. */
const MAX_KNOWN = 5_000;

type Line = Pick<StreamEvent, 'event' | 'data'> & { readonly last_event_id: string | null };

function line({ event, data }: Line, style: Style): string {
  const state = data.status ?? data.feedback;
  const parts = [
    data.at === undefined ? null : style.dim(time(data.at)),
    event.padEnd(21),
    state === undefined ? null : styled(state.padEnd(9), style),
    data.attempt === undefined ? null : `attempt ${data.attempt}`,
    data.message_id,
    data.delivery_run_id === undefined ? null : style.dim(data.delivery_run_id),
  ];
  return parts.filter(Boolean).join('  ');
}

/**
 * Reads the newest messages and returns changes since the last read: new messages, and changed statuses of their
 * runs.
 */
function createLists(messages: Pick<MessageSource, 'page'>, call: CallOptions) {
  const known = new Map<string, string>();
  function note(id: string, status: string): boolean {
    if (known.get(id) === status) return false;
    known.delete(id);
    known.set(id, status);
    for (const oldest of known.keys()) {
      if (known.size <= MAX_KNOWN) break;
      known.delete(oldest);
    }
    return true;
  }
  return {
    note,
    async poll(lastEventId: string | null): Promise<Line[]> {
      const { data: newest } = await messages.page({ limit: LISTED }, call);
      return newest.toReversed().flatMap(({ id, created_at: at, delivery_runs: runs }) => {
        const about = { message_id: id, at };
        const lines: Line[] = note(id, 'accepted')
          ? [{ event: 'message.accepted', data: about, last_event_id: lastEventId }]
          : [];
        for (const { id: delivery_run_id, channel, status } of runs) {
          if (!note(delivery_run_id, status)) continue;
          const data = { ...about, delivery_run_id, channel_id: channel.id, status };
          lines.push({ event: 'delivery_run.updated', data, last_event_id: lastEventId });
        }
        return lines;
      });
    },
  };
}

async function showStream(session: Session, { lastEventId }: { lastEventId?: string }): Promise<void> {
  const { io, call } = session;
  const { messages, stream } = session.environment();
  const lists = createLists(messages, call);
  const show = (change: Line) => session.showLine(change, line);
  const options = { ...call, ...given({ lastEventId }) };
  // The lists cannot be read either. The next try of the stream yields another reset.
  const none = (error: unknown): Line[] => {
    session.note(unavailability(session, error));
    return [];
  };
  try {
    // The first read only remembers the current state.
    if (lastEventId === undefined) await lists.poll(null);
    const events = await stream(options);
    session.note('Following changes; Ctrl-C ends.');
    for await (const { event, data, lastEventId: last_event_id } of events) {
      if (event === 'reset') {
        session.note('Some changes were missed: reading the newest messages …');
        for (const change of await lists.poll(last_event_id).catch(none)) show(change);
        continue;
      }
      if (event === 'message.accepted') lists.note(data.message_id ?? '', 'accepted');
      if (event === 'delivery_run.updated') lists.note(data.delivery_run_id ?? '', data.status ?? '');
      show({ event, data, last_event_id });
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  }
}

/**
 * `postrider stream`: follows the changes of an environment by server-sent events, and by the lists if there is no
 * stream.
 */
export function addStream(program: SessionCommand): void {
  program
    .add(
      'stream',
      'follow the changes of an environment (ids and statuses) until Ctrl-C, reconnecting as needed; if the ' +
        'service has no room for a stream it reads the newest messages from time to time; with --json one JSON document per line',
    )
    .inEnvironment()
    .option(
      '--last-event-id <id>',
      'continue after this last_event_id, which --json shows; by default from now on',
    )
    .examples({
      'postrider stream': 'Watch.',
      'postrider stream --json | jq -r \'select(.data.status=="failed") | .data.message_id\'':
        'React to failures.',
    })
    .runs(showStream);
}
