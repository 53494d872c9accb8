import { goal, interleave, row } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { closedLoop, rateOf, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { openRunLedger } from './run-ledger.ts';

const CHANNELS = 50;
const CONNECTIONS = 64;
/** The goal: acceptance keeps 90 % of its rate. */
const MIN_PART = 0.9;
const ROUNDS = 9;

async function measure(deps: MeasureDeps, plain: Installation, filtered: Installation): Promise<Findings> {
  const { bench, extent, say } = deps;
  const ledgers = await Promise.all(
    [plain, filtered].map((installation) => openRunLedger(bench, installation, { delivered: false })),
  );
  const accept = (installation: Installation, index: number) => async () => {
    const where = smallEventsTo(installation, installation.tenants);
    const result = await closedLoop(deps, where, { connections: CONNECTIONS })();
    ledgers[index]?.add(result);
    return rateOf(result);
  };
  say('filters: acceptance');
  const rounds = Math.max(ROUNDS, extent.rounds);
  const [floor = [], subject = []] = await interleave(rounds, [accept(plain, 0), accept(filtered, 1)]);
  const accepted = row({
    what: `accepted, ${CONNECTIONS} connections, ${CHANNELS} channels with filters`,
    unit: '/s',
    rounds: subject,
    floor: { what: `${CHANNELS} channels, one of which takes the event key`, rounds: floor },
  });
  const problems = await Promise.all(ledgers.map((ledger) => ledger.problems()));
  return {
    name: 'filters',
    title: 'Filters of channels',
    rows: [accepted],
    goals: [
      goal(`${accepted.what}, to without`, accepted.ratios?.per_second ?? Number.NaN, {
        atLeast: MIN_PART,
      }),
    ],
    problems: problems.flat(),
    notes: [
      'Both make one run for each event; what differs is that 50 filters of three conditions choose its channel.',
    ],
  };
}

/** The cost of filters at acceptance (docs/decisions/0011-payload-schema-validation-is-limited-in-steps.md). */
export const filters: Measure = {
  name: 'filters',
  async run(deps) {
    const plain = await openInstallation(deps.bench, { workers: 0, otherWebhooks: CHANNELS - 1 });
    const filtered = await openInstallation(deps.bench, { workers: 0, webhooks: CHANNELS, filtered: true });
    try {
      return await measure(deps, plain, filtered);
    } finally {
      await plain.close();
      await filtered.close();
    }
  },
};
