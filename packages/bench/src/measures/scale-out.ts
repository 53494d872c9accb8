import { interleave, type Row, row } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { closedLoop, deliverEvents, rateOf, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { openRunLedger } from './run-ledger.ts';

/** Numbers of API processes, and of workers. */
const PROCESSES = [1, 2, 4];
const CONNECTIONS = 64;
const EVENTS = { least: 4_000, most: 40_000 };

interface Sized {
  readonly processes: number;
  readonly installation: Installation;
}

/** Measures all sizes in turn, and compares them with the smallest. */
async function compare(
  { extent }: MeasureDeps,
  what: string,
  sized: readonly Sized[],
  measure: (installation: Installation) => Promise<number>,
): Promise<Row[]> {
  const results = await interleave(
    extent.rounds,
    sized.map(({ installation }) => async () => ({ per_second: await measure(installation) })),
  );
  const floor = { what: 'one of each', rounds: results[0] ?? [] };
  return sized.map(({ processes }, index) =>
    row({
      what: `${processes} API and ${processes} worker processes: ${what}`,
      unit: '/s',
      rounds: results[index] ?? [],
      ...(index > 0 ? { floor } : {}),
    }),
  );
}

async function accept(deps: MeasureDeps, sized: readonly Sized[], problems: string[]): Promise<Row[]> {
  deps.say('scale-out: acceptance');
  return compare(deps, 'accepted', sized, async (installation) => {
    const ledger = await openRunLedger(deps.bench, installation, { delivered: false });
    const where = smallEventsTo(installation, installation.tenants);
    const result = await closedLoop(deps, where, { connections: CONNECTIONS })();
    ledger.add(result);
    problems.push(...(await ledger.problems()));
    return rateOf(result).per_second ?? 0;
  });
}

async function deliver(deps: MeasureDeps, sized: readonly Sized[], problems: string[]): Promise<Row[]> {
  const events = deps.extent.amount(EVENTS.least, EVENTS.most);
  deps.say(`scale-out: ${events} webhooks a round`);
  return compare(deps, 'delivered', sized, async (installation) => {
    const run = await deliverEvents(deps.bench, installation, { events });
    problems.push(...run.problems);
    return run.perSecond;
  });
}

/** Opens an installation for each number of processes, with or without workers, and closes them after the work. */
async function withSizes<T>(
  { bench, sender }: MeasureDeps,
  hasWorkers: boolean,
  work: (sized: readonly Sized[]) => Promise<T>,
): Promise<T> {
  const sized: Sized[] = [];
  try {
    for (const processes of PROCESSES) {
      const workers = hasWorkers ? processes : 0;
      sized.push({
        processes,
        installation: await openInstallation(bench, { apis: processes, workers, sender }),
      });
    }
    return await work(sized);
  } finally {
    for (const { installation } of sized) await installation.close();
  }
}

async function measure(deps: MeasureDeps): Promise<Findings> {
  const problems: string[] = [];
  const accepted = await withSizes(deps, false, (sized) => accept(deps, sized, problems));
  const sent = await withSizes(deps, true, (sized) => deliver(deps, sized, problems));
  return {
    name: 'scale-out',
    title: 'Scale-out',
    rows: [...accepted, ...sent],
    goals: [],
    problems,
    notes: [`${CONNECTIONS} connections over all API processes; acceptance without workers.`],
  };
}

/** Acceptance and delivery with more processes. On two cores they share the same processors. */
export const scaleOut: Measure = { name: 'scale-out', run: measure };
