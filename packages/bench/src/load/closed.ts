import { monotonicMs } from './clock.ts';
import { type Connections, openConnections } from './connection.ts';
import { createEventBodies, type EventShape } from './event-body.ts';
import { createTally, type LoadResult } from './tally.ts';

/** Where events go, and for whom. */
export interface Target {
  /** Of the resource; several are used in turn, a connection keeping to one. */
  readonly urls: readonly string[];
  /** API tokens, used in turn. */
  readonly tokens: readonly string[];
  readonly event: EventShape;
  readonly firstReference: number;
}

export interface ClosedLoad extends Target {
  readonly connections: number;
  /** Ends after so many events … */
  readonly events?: number;
  /** … or after so long, whichever comes first. */
  readonly durationMs?: number;
  /** Not measured, at the beginning. */
  readonly warmUpMs?: number;
}

/** A loop on each connection: the next event is sent when the answer to the one before is there. */
export async function runClosedLoad({
  urls,
  tokens,
  event,
  firstReference,
  connections,
  events = Number.POSITIVE_INFINITY,
  durationMs = Number.POSITIVE_INFINITY,
  warmUpMs = 0,
}: ClosedLoad): Promise<LoadResult> {
  const bodyOf = createEventBodies(event);
  const beganAtMs = monotonicMs();
  const stopAtMs = beganAtMs + warmUpMs + durationMs;
  const tally = createTally(firstReference, beganAtMs + warmUpMs);
  const open = Array.from({ length: connections }, (_, lane) =>
    openConnections(urls[lane % urls.length] ?? '', 1),
  );
  let sent = 0;
  let endedAtMs = beganAtMs;

  const lane = (connection: Connections) =>
    new Promise<void>((resolve) => {
      function next(): void {
        const intendedAtMs = monotonicMs();
        if (sent >= events || intendedAtMs >= stopAtMs) {
          resolve();
          return;
        }
        const index = sent;
        sent += 1;
        const token = tokens[index % tokens.length] ?? '';
        connection.post(token, bodyOf(firstReference + index), (status) => {
          const nowMs = monotonicMs();
          endedAtMs = Math.max(endedAtMs, nowMs);
          tally.note({ index, status, intendedAtMs, nowMs });
          next();
        });
      }
      next();
    });

  await Promise.all(open.map(lane));
  await Promise.all(open.map((connection) => connection.close()));
  return tally.result({ sent, beganAtMs, endedAtMs });
}
