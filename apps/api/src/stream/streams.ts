import type { ServerResponse } from 'node:http';
import { type Database, inShare, readStream, type StreamPosition } from '@postrider/db';
import { groupBy, reject, retryLater, type SecretBox } from '@postrider/domain';
import { STOPPING } from '../http/reply.ts';
import { mayContinue } from '../pipeline/stage.ts';
import { decryptPosition, encryptPosition, formatEvents, formatHeartbeat } from './format.ts';

/** Times in milliseconds, and numbers of streams. */
export interface StreamBounds {
  /** The time between two reads, which all streams share. */
  readonly readEveryMs: number;
  /** The time between two checks of access and lifetimes. Cached tokens are at most 4.5 s old. */
  readonly tickEveryMs: number;
  readonly heartbeatMs: number;
  /** Well below the listener's limit of 90 s for a request. */
  readonly lifetimeMs: number;
  /** Unread bytes that a client may have, in addition to those of one read. */
  readonly unreadBytes: number;
  /** The most streams of a process, including those reserved for operators. */
  readonly streams: number;
  readonly streamsOfOperators: number;
  readonly streamsOfTenant: number;
  /** The most streams of a token, or of an operator's session. */
  readonly streamsOfToken: number;
}

export const STREAM_BOUNDS: StreamBounds = {
  readEveryMs: 1_000,
  tickEveryMs: 250,
  heartbeatMs: 15_000,
  lifetimeMs: 75_000,
  unreadBytes: 64 * 1024,
  streams: 64,
  streamsOfOperators: 16,
  streamsOfTenant: 16,
  streamsOfToken: 8,
};

const FULL = retryLater(
  'service_unavailable',
  15,
  'Too many streams are open: read the lists instead, and try again later.',
);

/** A client that follows the changes of an environment. */
interface StreamClient {
  readonly environmentId: string;
  /** The tenant to which the stream counts; null for an operator. */
  readonly tenantId: string | null;
  readonly callerId: string;
  /** The id of the client's last event; undefined if it has none. */
  readonly lastEventId: string | undefined;
  /** @throws RefusedError if the caller may no longer see the environment */
  readonly findCaller: () => Promise<unknown>;
}

interface Stream extends StreamClient {
  readonly res: ServerResponse;
  readonly until: number;
  position: StreamPosition;
  writtenAt: number;
  /** The stream cannot continue from the client's position. */
  isLost: boolean;
  isChecking: boolean;
  /** Whether its caller was found at the last check; otherwise nothing is read for it, and it continues from its position later. */
  isAllowed: boolean;
}

/** The oldest stream of the largest group, if that has at least two more than the number given; otherwise null. */
function surplusOf(groups: ReadonlyMap<unknown, readonly Stream[]>, own: number): Stream | null {
  const largest = [...groups.values()].reduce(
    (most, group) => (group.length > most.length ? group : most),
    [],
  );
  return largest.length >= own + 2 ? (largest[0] ?? null) : null;
}

export interface Streams {
  /**
   * Opens a stream of the environment's changes.
   * @throws RefusedError
   */
  readonly open: (client: StreamClient) => (res: ServerResponse) => void;
}

/**
 * Creates the streams of a process. One reader queries Postgres for all of them, once a second while there are any, and
 * streams with the same position share its result. A stream ends when its lifetime is over, the process stops, its
 * caller loses access, its client does not read, Postgres is unreachable, or another tenant has fewer streams and needs
 * one. The client then reconnects.
 */
export function createStreams({
  db,
  secretBox,
  monotonicMs,
  isStopping = () => false,
  bounds = STREAM_BOUNDS,
}: {
  readonly db: Database;
  readonly secretBox: SecretBox;
  readonly monotonicMs: () => number;
  readonly isStopping?: (() => boolean) | undefined;
  readonly bounds?: StreamBounds;
}): Streams {
  const open = new Set<Stream>();
  let timer: NodeJS.Timeout | null = null;
  let isReading = false;
  let readAt = Number.NEGATIVE_INFINITY;

  function leave(stream: Stream): void {
    open.delete(stream);
    if (open.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  function end(stream: Stream): void {
    leave(stream);
    stream.res.end();
  }

  function write(stream: Stream, text: string): void {
    if (!open.has(stream)) return;
    // The client does not read, so its connection would buffer everything.
    if (stream.res.writableLength > bounds.unreadBytes) {
      leave(stream);
      stream.res.destroy();
      return;
    }
    stream.writtenAt = monotonicMs();
    stream.res.write(text);
  }

  async function checkAccess(stream: Stream): Promise<void> {
    if (stream.isChecking) return;
    stream.isChecking = true;
    stream.isAllowed = await mayContinue(stream, () => end(stream));
    stream.isChecking = false;
  }

  async function read(): Promise<void> {
    const allowed = [...open].filter(({ isAllowed }) => isAllowed);
    // Streams with the same position get the same text.
    const groups = [
      ...groupBy(allowed, ({ environmentId, position }) => `${environmentId} ${position.snapshot}`).values(),
    ];
    if (groups.length === 0) return;
    const found = await readStream(
      db,
      groups.flatMap(([first]) => (first ? [first.position] : [])),
    );
    for (const [index, group] of groups.entries()) {
      const environmentId = group[0]?.environmentId ?? '';
      const position = { environmentId, snapshot: found.snapshot, at: found.at };
      const encrypted = encryptPosition(secretBox, position);
      const changes = found.changes[index] ?? null;
      const text =
        changes?.length === 0 ? formatHeartbeat(encrypted, found.at) : formatEvents(changes, encrypted);
      for (const stream of group) {
        // Nothing is sent while nothing happens, but a new client needs a position to reconnect with.
        const hasNews = changes === null || changes.length > 0 || stream.position.snapshot === null;
        stream.position = position;
        if (stream.isLost) write(stream, formatEvents(null, encrypted));
        else if (hasNews) write(stream, text);
        stream.isLost = false;
      }
    }
  }

  function readNow(now: number): void {
    isReading = true;
    readAt = now;
    inShare('read', read, 'streams')
      .catch(() => {
        for (const stream of open) end(stream);
      })
      .finally(() => {
        isReading = false;
      });
  }

  function tick(): void {
    const now = monotonicMs();
    const isOver = isStopping();
    for (const stream of open) {
      if (isOver || now >= stream.until) {
        end(stream);
        continue;
      }
      // A stream without a position has not read yet: a client must not take it for live.
      if (now - stream.writtenAt >= bounds.heartbeatMs && stream.position.snapshot !== null)
        write(stream, formatHeartbeat(encryptPosition(secretBox, stream.position), stream.position.at));
      void checkAccess(stream);
    }
    if (!isReading && open.size > 0 && now - readAt >= bounds.readEveryMs) readNow(now);
  }

  /**
   * The stream that ends so that the client gets one: undefined if none must end, null if the client gets none. Tenants
   * share the streams of tenants, and tokens those of their tenant: a newcomer ends one of the owner with the most, unless
   * it would then have more than they.
   */
  function endsFor({ tenantId, callerId }: StreamClient): Stream | undefined | null {
    const isOperator = tenantId === null;
    const own = [...open].filter((stream) => stream.tenantId === tenantId);
    const ofToken = own.filter((stream) => stream.callerId === callerId);
    if (ofToken.length >= bounds.streamsOfToken) return null;
    if (own.length >= (isOperator ? bounds.streamsOfOperators : bounds.streamsOfTenant))
      return surplusOf(
        groupBy(own, (stream) => stream.callerId),
        ofToken.length,
      );
    const tenants = [...open].filter((stream) => stream.tenantId !== null);
    if (isOperator || tenants.length < bounds.streams - bounds.streamsOfOperators) return undefined;
    return surplusOf(
      groupBy(tenants, (stream) => stream.tenantId),
      own.length,
    );
  }

  return {
    open(client) {
      if (isStopping()) reject(STOPPING);
      if (endsFor(client) === null) reject(FULL);
      return (res) => {
        const { environmentId, lastEventId } = client;
        if (res.closed || res.destroyed) return;
        // Another request may have taken the last one meanwhile.
        const replaced = endsFor(client);
        if (replaced === null) {
          res.end();
          return;
        }
        if (replaced) end(replaced);
        const position = lastEventId ? decryptPosition(secretBox, environmentId, lastEventId) : null;
        const now = monotonicMs();
        const stream: Stream = {
          ...client,
          res,
          until: now + bounds.lifetimeMs,
          position: position ?? { environmentId, snapshot: null, at: new Date(0) },
          writtenAt: now,
          isLost: Boolean(lastEventId) && position === null,
          isChecking: false,
          isAllowed: true,
        };
        open.add(stream);
        res.once('close', () => leave(stream));
        timer ??= setInterval(tick, bounds.tickEveryMs).unref();
      };
    },
  };
}
