import { startHttpReceiver, startSmtpReceiver } from '@postrider/rig';
import { referenceIn } from './load/event-body.ts';

/** What has arrived at the receivers. */
export interface ArrivalCount {
  /** Distinct events. */
  readonly distinct: number;
  /** Arrivals beyond the first of each event. */
  readonly duplicates: number;
  /** Arrivals that are not events of this load. */
  readonly foreign: number;
  /** When the last new event arrived: milliseconds of the monotonic clock; 0 before the first one. */
  readonly lastAtMs: number;
}

interface Arrivals {
  /** Forgets everything and expects up to `events` events, with numbers from `firstReference` on. */
  expect(load: { firstReference: number; events: number }): void;
  note(reference: number | null, atMs: number): void;
  count(): ArrivalCount;
  /** When each event's first byte arrived; NaN for an event that did not arrive. */
  times(): Float64Array;
}

export function createArrivals(): Arrivals {
  let first = 0;
  let times = new Float64Array(0);
  let distinct = 0;
  let duplicates = 0;
  let foreign = 0;
  let lastAtMs = 0;
  return {
    expect({ firstReference, events }) {
      first = firstReference;
      times = new Float64Array(events).fill(Number.NaN);
      distinct = 0;
      duplicates = 0;
      foreign = 0;
      lastAtMs = 0;
    },
    note(reference, atMs) {
      const index = (reference ?? -1) - first;
      const known = times[index];
      if (known === undefined) {
        foreign += 1;
      } else if (Number.isNaN(known)) {
        times[index] = atMs;
        distinct += 1;
        lastAtMs = atMs;
      } else {
        duplicates += 1;
      }
    },
    count: () => ({ distinct, duplicates, foreign, lastAtMs }),
    times: () => times,
  };
}

const arrivals = createArrivals();

/** The event's number is near the beginning; the rest of a large body is ignored. */
const HEAD_LENGTH = 1_024;
/** The end of the URLs of webhooks that are not part of a load. */
export const UNCOUNTED = '?uncounted';

/** Accepts every webhook and every mail, and records when each began. */
async function start() {
  const http = await startHttpReceiver(({ path, body, monotonicAt }, response) => {
    if (!path.endsWith(UNCOUNTED)) arrivals.note(referenceIn(body.slice(0, HEAD_LENGTH)), monotonicAt);
    response.writeHead(200).end();
  });
  const smtp = await startSmtpReceiver(({ raw, monotonicAt }) => {
    arrivals.note(referenceIn(raw.toString('latin1')), monotonicAt);
    return undefined;
  });
  return { hookUrl: `${http.url}/hook`, smtpPort: smtp.port };
}

let started: ReturnType<typeof start> | undefined;

/** The questions that the receivers' process answers. The first question for its addresses starts them. */
export const handlers = {
  async addresses(_: null) {
    started ??= start();
    return started;
  },
  async expect(load: { firstReference: number; events: number }) {
    arrivals.expect(load);
  },
  count: async (_: null) => arrivals.count(),
  times: async (_: null) => arrivals.times(),
};
export type Receivers = typeof handlers;
