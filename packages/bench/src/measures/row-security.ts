import { goal, interleave, type Row, row, type Values } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { closedLoop, deliverEvents, rateOf, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { openRunLedger } from './run-ledger.ts';

const EVENTS = { least: 4_000, most: 40_000 };
const CONNECTIONS = 64;
/** The goal: it costs at most 3 % of acceptance and delivery. */
const MIN_PART = 0.97;
/** A difference of a few percent needs more rounds than one of tenths. */
const ROUNDS = 9;

/** The same installation as the tables' owner, and with row-level security. The second has no worker. */
interface Pair {
  readonly accepting: Installation;
  readonly delivering: Installation;
}

async function openPair({ bench, sender }: MeasureDeps, restricted: boolean): Promise<Pair> {
  return {
    accepting: await openInstallation(bench, { workers: 0, restricted }),
    delivering: await openInstallation(bench, { sender, restricted }),
  };
}

async function measure(deps: MeasureDeps, owner: Pair, restricted: Pair): Promise<Findings> {
  const { bench, extent, say } = deps;
  const events = extent.amount(EVENTS.least, EVENTS.most);
  const rounds = Math.max(ROUNDS, extent.rounds);
  const problems: string[] = [];
  const ledgers = await Promise.all(
    [owner, restricted].map(({ accepting }) => openRunLedger(bench, accepting, { delivered: false })),
  );
  const accept =
    ({ accepting }: Pair, index: number) =>
    async (): Promise<Values> => {
      const where = smallEventsTo(accepting, accepting.tenants);
      const result = await closedLoop(deps, where, { connections: CONNECTIONS })();
      ledgers[index]?.add(result);
      return rateOf(result);
    };
  const deliver =
    ({ delivering }: Pair) =>
    async (): Promise<Values> => {
      const run = await deliverEvents(bench, delivering, { events });
      problems.push(...run.problems);
      return { per_second: run.perSecond };
    };
  say('row-security: acceptance');
  const accepted = await interleave(rounds, [accept(owner, 0), accept(restricted, 1)]);
  say('row-security: delivery');
  const delivered = await interleave(rounds, [deliver(owner), deliver(restricted)]);
  const compare = (what: string, [floor = [], subject = []]: Values[][]): Row =>
    row({
      what,
      unit: '/s',
      rounds: subject,
      floor: { what: "the same as the tables' owner", rounds: floor },
    });
  const rows = [
    compare('accepted, 64 connections, with row-level security', accepted),
    compare('webhooks delivered with row-level security', delivered),
  ];
  for (const ledger of ledgers) problems.push(...(await ledger.problems()));
  return {
    name: 'row-security',
    title: 'Row-level security',
    rows,
    goals: rows.map(({ what, ratios }) =>
      goal(`${what}, to without`, ratios?.per_second ?? Number.NaN, { atLeast: MIN_PART }),
    ),
    problems,
    notes: ['The same build; what differs is the role that each process connects as.'],
  };
}

/** The cost of the second barrier between tenants (docs/decisions/0027-row-level-security.md). */
export const rowSecurity: Measure = {
  name: 'row-security',
  async run(deps) {
    const pairs: Pair[] = [];
    try {
      for (const restricted of [false, true]) pairs.push(await openPair(deps, restricted));
      const [owner, restricted] = pairs as [Pair, Pair];
      return await measure(deps, owner, restricted);
    } finally {
      for (const { accepting, delivering } of pairs) {
        await accepting.close();
        await delivering.close();
      }
    }
  },
};
