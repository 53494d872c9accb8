import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { CallOptions, Message, Postrider, StreamEvent } from '@postrider/client';
import { LRUCache } from '@postrider/domain';
import type { Io } from './io.ts';
import { untilAvailable } from './poll.ts';
import type { Session } from './session.ts';
import { given } from './values.ts';

/** Messages that are read after missed changes, the newest: as many as the stream covers. It reports at most as many changes at once. */
const COVERED = 500;
/** Messages and runs whose status is remembered. */
const MAX_KNOWN = 20_000;

/** A change that the stream reported, or that the lists show after changes were missed. */
export type FollowedChange = Pick<StreamEvent, 'event' | 'data'> & { readonly last_event_id: string | null };

/** Finds changes in the lists: new messages, and changed statuses of their runs. */
function createLists(messages: Pick<Postrider['messages'], 'pick'>, call: CallOptions) {
  const known = new LRUCache<string, string>({ max: MAX_KNOWN });
  const summaries = messages.pick(['id', 'created_at', 'delivery_runs']);

  /** Remembers a status. Returns whether it differs from the remembered one. */
  function note(id: string, status: string): boolean {
    const differs = known.get(id) !== status;
    known.set(id, status);
    return differs;
  }

  function changesOf(
    { id, created_at: at, delivery_runs: runs }: Pick<Message, 'id' | 'created_at' | 'delivery_runs'>,
    last_event_id: string | null,
  ): FollowedChange[] {
    const about = { message_id: id, at };
    const changes: FollowedChange[] = note(id, 'accepted')
      ? [{ event: 'message.accepted', data: about, last_event_id }]
      : [];
    for (const { id: delivery_run_id, channel, status } of runs) {
      if (!note(delivery_run_id, status)) continue;
      const data = { ...about, delivery_run_id, channel_id: channel.id, status };
      changes.push({ event: 'delivery_run.updated', data, last_event_id });
    }
    return changes;
  }

  return {
    note,
    /** Reads the newest messages, and returns what has changed since they were read or noted, oldest first. */
    async read(lastEventId: string | null): Promise<FollowedChange[]> {
      const newest: Parameters<typeof changesOf>[0][] = [];
      for await (const message of summaries.all({ limit: 100 }, call))
        if (newest.push(message) === COVERED) break;
      return newest.reverse().flatMap((message) => changesOf(message, lastEventId));
    },
  };
}

/** Waits until the reader of stdout has caught up, so that a slow one does not fill the memory. */
async function drained({ stdout, signal }: Io): Promise<void> {
  if (stdout.writableNeedDrain) await once(stdout as Writable, 'drain', { signal });
}

interface FollowOptions {
  /** Continues after this position; by default from now on. */
  readonly lastEventId?: string | undefined;
  /** Begins with the newest messages that were accepted at this time or later. */
  readonly since?: Date | undefined;
}

/**
 * Follows the changes of an environment by server-sent events until Ctrl-C, through lost connections and restarts. After missed
 * changes, and while the service has no room for a stream, it reads the lists. `show` gets the changes of one read of the service
 * together, oldest first; a change can come twice. The next ones are read when it is done and its output has been read.
 */
export async function follow(
  session: Session,
  { messages, stream }: Pick<Postrider, 'messages' | 'stream'>,
  { lastEventId, since }: FollowOptions,
  show: (changes: readonly FollowedChange[]) => Promise<void> | void,
): Promise<void> {
  const { io, call } = session;
  const lists = createLists(messages, call);
  const ended = new AbortController();
  let hasBegun = lastEventId !== undefined;
  let isLost = false;
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const onConnection = (isAlive: boolean) => {
    hear();
    if (!hasBegun || isLost === !isAlive) return;
    isLost = !isAlive;
    session.note(isLost ? 'The service is unavailable. Trying again …' : 'Connected again.');
  };

  async function showAll(changes: readonly FollowedChange[]): Promise<void> {
    await show(changes);
    await drained(io);
  }

  try {
    const signal = AbortSignal.any([io.signal, ended.signal]);
    const events = await stream({ ...call, signal, onConnection, ...given({ lastEventId }) });
    const first = events.next();
    // If the lists cannot be read, nobody awaits it, and it may reject later.
    first.catch(() => undefined);
    if (!hasBegun) {
      // The stream reports changes from its first response on. If the service is away, reading the lists says so.
      await Promise.race([heard, first]);
      const existing = await lists.read(null);
      hasBegun = true;
      if (since) await showAll(existing.filter(({ data: { at = '' } }) => new Date(at) >= since));
    }
    session.note('Following changes; Ctrl-C ends.');
    let position = lastEventId ?? null;
    let changes: FollowedChange[] = [];
    for (let found = await first; !found.done; found = await events.next()) {
      const { event, data, lastEventId: last_event_id } = found.value;
      if (event === 'reset') {
        session.note('Some changes were missed: reading the newest messages …');
        changes.push(...(await untilAvailable(session, () => lists.read(last_event_id))));
      } else {
        if (event === 'message.accepted') lists.note(data.message_id ?? '', 'accepted');
        if (event === 'delivery_run.updated') lists.note(data.delivery_run_id ?? '', data.status ?? '');
        changes.push({ event, data, last_event_id });
        // The last change of a read has its position.
        if (last_event_id === position && changes.length < COVERED) continue;
      }
      position = last_event_id;
      await showAll(changes);
      changes = [];
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    ended.abort();
  }
}
