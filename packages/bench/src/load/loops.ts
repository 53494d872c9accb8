import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  countUp,
  monotonicMs,
  openConnections,
  type Post,
  type PostAnswer,
  sideBySide,
} from '@postrider/rig';
import { batchBody, createEventBodies, type EventShape } from './event-body.ts';
import { createTally, type LoadResult } from './tally.ts';

/** How long the generator waits for an answer; the service answers within 15 s. */
const TIMEOUT_MS = 30_000;
/** The status of a batch, whose results have statuses of their own. */
const BATCH_ANSWERED = 200;

/** Where events are sent, and with which tokens. */
export interface Target {
  /** URLs of the resource. Several are used in turn; each connection stays with one. */
  readonly urls: readonly string[];
  /** API tokens, used in turn. */
  readonly tokens: readonly string[];
  readonly event: EventShape;
  readonly firstReference: number;
}

export interface ClosedLoad extends Target {
  readonly connections: number;
  /** Sends the events in batches of this many; by default each in a request of its own. */
  readonly batch?: number;
  /** Ends after this many events, a whole number of batches, … */
  readonly events?: number;
  /** … or after this time, whichever comes first. */
  readonly durationMs?: number;
  /** The time at the beginning that is not measured. */
  readonly warmUpMs?: number;
}

/** The status of each event of a request; null without an answer. */
function statusesOf(answer: PostAnswer | null, batch: number | undefined): (number | null)[] {
  if (batch === undefined) return [answer?.status ?? null];
  const events = Array.from({ length: batch }, () => answer?.status ?? null);
  if (answer?.status !== BATCH_ANSWERED) return events;
  const { results } = JSON.parse(answer.text()) as { results: readonly { readonly status: number }[] };
  return events.map((_, index) => results[index]?.status ?? null);
}

/** A closed loop: each connection sends its next request when the answer to the previous one has arrived. */
async function runClosedLoad({
  urls,
  tokens,
  event,
  firstReference,
  connections,
  batch,
  events = Number.POSITIVE_INFINITY,
  durationMs = Number.POSITIVE_INFINITY,
  warmUpMs = 0,
}: ClosedLoad): Promise<LoadResult> {
  const bodyOf = createEventBodies(event);
  const perRequest = batch ?? 1;
  const beganAtMs = monotonicMs();
  const stopAtMs = beganAtMs + warmUpMs + durationMs;
  const tally = createTally(firstReference, beganAtMs + warmUpMs);
  const open = Array.from({ length: connections }, () =>
    openConnections({ connections: 1, timeoutMs: TIMEOUT_MS }),
  );
  let sent = 0;
  let endedAtMs = beganAtMs;

  /** Makes the request of the events from `first` on. */
  function requestOf(first: number, lane: number): Post {
    const url = urls[lane % urls.length] ?? '';
    const token = tokens[(first / perRequest) % tokens.length] ?? '';
    const bodies = Array.from({ length: perRequest }, (_, offset) => bodyOf(firstReference + first + offset));
    if (batch === undefined) return { url, token, key: randomUUID(), body: bodies[0] ?? '' };
    const body = batchBody(bodies.map((each) => ({ key: randomUUID(), body: each })));
    return { url: `${url}/batch`, token, key: '', body };
  }

  const send = (request: number, lane: number) =>
    new Promise<void>((resolve) => {
      const first = request * perRequest;
      const intendedAtMs = monotonicMs();
      sent += perRequest;
      open[lane]?.post(requestOf(first, lane), (answer) => {
        const nowMs = monotonicMs();
        endedAtMs = Math.max(endedAtMs, nowMs);
        for (const [offset, status] of statusesOf(answer, batch).entries())
          tally.note({ index: first + offset, status, intendedAtMs, nowMs });
        resolve();
      });
    });

  await sideBySide(
    countUp(events / perRequest, () => monotonicMs() >= stopAtMs),
    connections,
    send,
  );
  await Promise.all(open.map((connection) => connection.close()));
  return tally.result({ sent, beganAtMs, endedAtMs });
}

/** When an open loop sends its events: one every `1/rate` seconds, regardless of the answers. */
interface ArrivalSchedule {
  readonly count: number;
  /** When the event is due to be sent, in milliseconds from the beginning. */
  dueMs(index: number): number;
  /** How many events are due after this time. */
  dueBy(elapsedMs: number): number;
}

/** A constant rate: `rate` events a second for `durationMs`, at least one event. */
export function createArrivalSchedule(rate: number, durationMs: number): ArrivalSchedule {
  const intervalMs = 1_000 / rate;
  const count = Math.max(1, Math.floor(durationMs / intervalMs));
  return {
    count,
    dueMs: (index) => index * intervalMs,
    dueBy: (elapsedMs) => Math.min(count, Math.max(0, Math.floor(elapsedMs / intervalMs) + 1)),
  };
}

export interface OpenLoad extends Target {
  /** The most requests at once; further ones wait here, and their wait counts as latency. */
  readonly connections: number;
  /** Events a second. */
  readonly rate: number;
  readonly durationMs: number;
  readonly warmUpMs?: number;
}

/**
 * The sleep between two checks of what is due. Spinning instead would take a core from what is measured. The delay
 * that the sleep adds counts as latency.
 */
const TICK_MS = 1;

/**
 * Sends at a constant rate, regardless of the answers. Latency counts from the time when an event was due to be sent,
 * so a stall of the service affects every event that was due meanwhile.
 */
async function runOpenLoad({
  urls,
  tokens,
  event,
  firstReference,
  connections,
  rate,
  durationMs,
  warmUpMs = 0,
}: OpenLoad): Promise<LoadResult> {
  const bodyOf = createEventBodies(event);
  const schedule = createArrivalSchedule(rate, warmUpMs + durationMs);
  const perUrl = Math.max(1, Math.round(connections / urls.length));
  const open = openConnections({ connections: perUrl, timeoutMs: TIMEOUT_MS });
  const beganAtMs = monotonicMs();
  const tally = createTally(firstReference, beganAtMs + warmUpMs);
  let sent = 0;
  let answered = 0;
  let endedAtMs = beganAtMs;
  let onAllAnswered: () => void = () => undefined;
  const allAnswered = new Promise<void>((resolve) => {
    onAllAnswered = resolve;
  });

  function send(index: number): void {
    const intendedAtMs = beganAtMs + schedule.dueMs(index);
    const token = tokens[index % tokens.length] ?? '';
    const url = urls[index % urls.length] ?? '';
    const body = bodyOf(firstReference + index);
    open.post({ url, token, key: randomUUID(), body }, (answer) => {
      endedAtMs = monotonicMs();
      tally.note({ index, status: answer?.status ?? null, intendedAtMs, nowMs: endedAtMs });
      answered += 1;
      if (answered === schedule.count) onAllAnswered();
    });
  }

  while (sent < schedule.count) {
    const due = schedule.dueBy(monotonicMs() - beganAtMs);
    while (sent < due) {
      send(sent);
      sent += 1;
    }
    await wait(Math.max(TICK_MS, beganAtMs + schedule.dueMs(sent) - monotonicMs()));
  }
  await allAnswered;
  await open.close();
  return tally.result({ sent, beganAtMs, endedAtMs });
}

/** The questions that the load generator's process answers. */
export const handlers = { closed: runClosedLoad, open: runOpenLoad };
export type LoadGenerator = typeof handlers;
