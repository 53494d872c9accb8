import type { LoadResult } from '../load/tally.ts';
import { goal, interleave, row, type Values } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { spend } from '../usage.ts';
import { openExpressRoute } from './floors.ts';
import { closedLoop, perSecond, smallEventsTo, type Where } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

import { openRunLedger } from './run-ledger.ts';

const CONNECTIONS = 64;
const BATCH = { size: 100, connections: 8 };

interface Subject {
  readonly where: Where;
  readonly load: Parameters<typeof closedLoop>[2];
  readonly pids: Readonly<Record<string, number>>;
}

async function measure(deps: MeasureDeps, installation: Installation, express: Subject): Promise<Findings> {
  const { bench, extent, say } = deps;
  say(`batches of ${BATCH.size}`);
  const ledger = await openRunLedger(bench, installation, { delivered: false });
  const pids = { api: installation.apis[0]?.pid ?? 0, ...bench.pids };
  const where = smallEventsTo(installation, installation.tenants);

  /** One round of a load: its rate, and the processor seconds of each process per 1,000 events. */
  async function round(subject: Subject, count: (result: LoadResult) => void): Promise<Values> {
    let rate = Number.NaN;
    const spent = await spend(subject.pids, async () => {
      const result = await closedLoop(deps, subject.where, subject.load)();
      count(result);
      rate = perSecond(result);
      return result.sent;
    });
    return { per_second: rate, ...spent };
  }

  const alone: Subject = { where, load: { connections: CONNECTIONS }, pids };
  const batched: Subject = { where, load: { connections: BATCH.connections, batch: BATCH.size }, pids };
  // Warms up: a process that has run for a while has compiled its code and opened its pools.
  for (const subject of [alone, batched]) await round(subject, ledger.add);
  const [floors = [], singles = [], batches = []] = await interleave(extent.rounds, [
    () => round(express, () => undefined),
    () => round(alone, ledger.add),
    () => round(batched, ledger.add),
  ]);

  const rates = (rounds: readonly Values[]) =>
    rounds.map((values) => ({ rate: values.per_second ?? Number.NaN }));
  const seconds = (rounds: readonly Values[], name: string) =>
    rounds.map((values) => ({ seconds: values[name] ?? Number.NaN }));
  const rate = row({
    what: `batches of ${BATCH.size}, ${BATCH.connections} connections: accepted`,
    unit: '/s',
    rounds: rates(batches),
    floor: { what: `single events, ${CONNECTIONS} connections`, rounds: rates(singles) },
  });
  const api = row({
    what: 'batches: API, per 1,000 events',
    unit: 's',
    rounds: seconds(batches, 'api'),
    floor: { what: 'bare Express', rounds: seconds(floors, 'api') },
  });
  const postgres = row({
    what: 'batches: PostgreSQL, per 1,000 events',
    unit: 's',
    rounds: seconds(batches, 'postgres'),
    floor: { what: 'single events', rounds: seconds(singles, 'postgres') },
  });
  return {
    name: 'batches',
    title: 'Acceptance by batch',
    rows: [rate, api, postgres],
    goals: [
      goal('acceptance by batches of 100 to single events', rate.ratios?.rate ?? Number.NaN, { atLeast: 5 }),
      goal(
        'processor time of the API per event of a batch, in bare Express requests',
        api.ratios?.seconds ?? Number.NaN,
        {
          atMost: 0.8,
        },
      ),
    ],
    problems: await ledger.problems(),
    notes: ['One API process, no worker, one hot tenant, events of 0.3 KiB.'],
  };
}

/** The rate and processor time of batches, compared with single events and with a bare Express route. */
export const batches: Measure = {
  name: 'batches',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { workers: 0 });
    const express = await openExpressRoute();
    try {
      const where = { ...smallEventsTo(installation, installation.tenants), urls: [express.url] };
      const load = { connections: CONNECTIONS };
      return await measure(deps, installation, { where, load, pids: { api: express.pid } });
    } finally {
      await express.close();
      await installation.close();
    }
  },
};
