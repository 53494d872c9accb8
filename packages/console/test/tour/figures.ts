import { readStream, type StreamPosition } from '@postrider/db';
import { quantile } from '@postrider/rig';
import type { Installation } from './installation.ts';

const TIMES = 100;
const DAY_MS = 86_400_000;

/** The milliseconds of calls, one after another. */
async function timesOf(calls: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times: number[] = [];
  for (const call of calls) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return times;
}

/** Ids of messages and of their deliveries from all days. */
async function idsOf({ admin, environmentId }: Installation): Promise<string[]> {
  const ids: string[] = [];
  for (let day = 1; day <= 20; day += 1) {
    const created_before = new Date(Date.now() - day * 1.8 * DAY_MS).toISOString();
    const { data } = await admin.messages.of(environmentId).page({ created_before, limit: 5 });
    for (const { id, delivery_runs } of data) ids.push(id, delivery_runs[0]?.id ?? id);
  }
  return ids;
}

export interface Figure {
  readonly name: string;
  readonly count: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly goalMs: number;
}

const figure = (name: string, goalMs: number, times: readonly number[]): Figure => ({
  ...{ name, goalMs, count: times.length },
  ...{ medianMs: quantile(times, 0.5), p95Ms: quantile(times, 0.95) },
});

/** How long searches and reads of the stream take. */
export async function measureReads(installation: Installation, messages: number): Promise<Figure[]> {
  const { admin, db, environmentId, environmentUuid } = installation;
  const find = (q: string) => () => admin.lookup.find({ q });
  const numbers = Array.from(
    { length: TIMES },
    (_, index) => Math.floor((messages / 10 / TIMES) * index) * 10,
  );
  const ids = await idsOf(installation);
  const names = [
    'hook',
    'mail',
    'ordered',
    'Nordwind',
    'production',
    'Small 7',
    'Warehouse',
    'order.e1',
    'nobody',
  ];
  const repeated = Array.from({ length: TIMES }, (_, index) => names[index % names.length] ?? '');
  const positions: StreamPosition[] = [{ environmentId: environmentUuid, snapshot: null, at: new Date() }];
  const { snapshot, at } = await readStream(db, positions);
  return [
    figure('search by id of a message or delivery', 300, await timesOf(ids.map(find))),
    figure('search by business id', 300, await timesOf(numbers.map((number) => find(`order ${number}`)))),
    figure(
      'search by the beginning of a business id',
      300,
      await timesOf(numbers.map((n) => find(`order ${n}`.slice(0, 8)))),
    ),
    figure(
      'search by the end of an id',
      300,
      await timesOf(ids.map((id) => () => admin.lookup.search(environmentId, { q: id.slice(-8) }))),
    ),
    figure(
      'search by address',
      300,
      await timesOf(numbers.map((n) => find(`user${n % 50_000}@example.com`))),
    ),
    figure('search by name', 1_000, await timesOf(repeated.map(find))),
    figure(
      'read of the stream',
      20,
      await timesOf(
        numbers.map(() => () => readStream(db, [{ environmentId: environmentUuid, snapshot, at }])),
      ),
    ),
  ];
}
