import { setTimeout as wait } from 'node:timers/promises';
import { monotonicMs } from './clock.ts';
import type { Target } from './closed.ts';
import { openConnections } from './connection.ts';
import { createEventBodies } from './event-body.ts';
import { createArrivalSchedule } from './schedule.ts';
import { createTally, type LoadResult } from './tally.ts';

export interface OpenLoad extends Target {
  /** Most requests at once; further ones wait here, and their wait counts. */
  readonly connections: number;
  /** Events a second. */
  readonly rate: number;
  readonly durationMs: number;
  readonly warmUpMs?: number;
}

/**
 * Shortest sleep between two looks at what is due. To spin instead would take a core from what is measured;
 * what is sent late by so much counts as latency.
 */
const TICK_MS = 1;

/**
 * Sends at a constant rate, whatever the answers do. A latency is counted from the time at which the event
 * was to be sent, so that a stall of the service is felt by all that would have come meanwhile.
 */
export async function runOpenLoad({
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
  const open = urls.map((url) => openConnections(url, perUrl));
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
    open[index % open.length]?.post(token, bodyOf(firstReference + index), (status) => {
      endedAtMs = monotonicMs();
      tally.note({ index, status, intendedAtMs, nowMs: endedAtMs });
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
  await Promise.all(open.map((pool) => pool.close()));
  return tally.result({ sent, beganAtMs, endedAtMs });
}
