import { median } from '@postrider/rig';
import { EVENT_KEY } from '../load/event-body.ts';
import type { LoadResult } from '../load/tally.ts';
import { type GoalResult, goal, interleave, type Row, row } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { memoryOf } from '../usage.ts';
import { openExpressRoute } from './floors.ts';
import { closedLoop, latenciesOf, openLoop, perSecond, rateOf, smallEventsTo, type Where } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { openRunLedger, type RunLedgerKeeper } from './run-ledger.ts';

const CONNECTIONS = [1, 8, 64, 256];
/** The number of connections that the goals in packages/bench/README.md, "Goals and results", are for. */
const GOAL_CONNECTIONS = 64;
/** The open loop's rate as a share of the closed loop's; near 1 the queue would only grow. */
const OPEN_PART = 0.7;
const TENANTS = 50;
const KIB = 1_024;
const LARGER_PAYLOADS = [4 * KIB, 64 * KIB];
const MEBI = 1_048_576;

interface Context extends MeasureDeps {
  readonly ledger: RunLedgerKeeper;
  readonly floor: Where;
  readonly hot: Where;
  readonly many: Where;
  /** One tenant, whose plan has a rate limit that is not reached. */
  readonly limited: Where;
}

interface Comparison {
  readonly what: string;
  readonly floorIs: string;
  readonly floors: readonly LoadResult[];
  readonly subjects: readonly LoadResult[];
}

const rateRow = ({ what, floorIs, floors, subjects }: Comparison): Row =>
  row({
    what: `${what}: accepted`,
    unit: '/s',
    rounds: subjects.map(rateOf),
    floor: { what: floorIs, rounds: floors.map(rateOf) },
  });

const latencyRow = ({ what, floorIs, floors, subjects }: Comparison): Row =>
  row({
    what: `${what}: latency`,
    unit: 'ms',
    rounds: subjects.map(latenciesOf),
    floor: { what: floorIs, rounds: floors.map(latenciesOf) },
  });

type Send = () => Promise<LoadResult>;

/** Measures the bare route and the service alternately. */
async function againstExpress(
  { extent, ledger, say }: Context,
  what: string,
  [floor, subject]: readonly [Send, Send],
): Promise<Comparison> {
  say(`acceptance: ${what}`);
  const [floors = [], subjects = []] = await interleave(extent.rounds, [floor, subject]);
  for (const result of subjects) ledger.add(result);
  return { what, floorIs: 'bare Express', floors, subjects };
}

const ratioOf = ({ ratios }: Row) => ratios?.per_second ?? Number.NaN;

async function byConnections(context: Context): Promise<{ rows: Row[]; goals: GoalResult[] }> {
  const rows: Row[] = [];
  const goals: GoalResult[] = [];
  for (const connections of CONNECTIONS) {
    const closed = await againstExpress(context, `${connections} connections, closed`, [
      closedLoop(context, context.floor, { connections }),
      closedLoop(context, context.hot, { connections }),
    ]);
    const rateAgainstFloor = rateRow(closed);
    if (connections === GOAL_CONNECTIONS) {
      goals.push(
        goal('acceptance, 64 connections, one hot tenant, to bare Express', ratioOf(rateAgainstFloor), {
          atLeast: 0.55,
        }),
      );
    }
    const rate = OPEN_PART * median(closed.subjects.map(perSecond));
    const open = await againstExpress(context, `${connections} connections, open at ${Math.round(rate)}/s`, [
      openLoop(context, context.floor, { connections, rate }),
      openLoop(context, context.hot, { connections, rate }),
    ]);
    rows.push(rateAgainstFloor, latencyRow(closed), latencyRow(open));
  }
  return { rows, goals };
}

/** Measures a load in turn with one hot tenant without a rate limit. */
async function againstHotTenant(context: Context, what: string, where: Where): Promise<Row> {
  const connections = GOAL_CONNECTIONS;
  const compared = await againstExpress(context, `${what}, ${connections} connections, closed`, [
    async () => {
      const result = await closedLoop(context, context.hot, { connections })();
      context.ledger.add(result);
      return result;
    },
    closedLoop(context, where, { connections }),
  ]);
  return rateRow({ ...compared, floorIs: 'one hot tenant' });
}

async function byTenants(context: Context): Promise<{ rows: Row[]; goals: GoalResult[] }> {
  const many = await againstHotTenant(context, `${TENANTS} tenants`, context.many);
  const limited = await againstHotTenant(context, 'a plan with a rate limit', context.limited);
  return {
    rows: [many, limited],
    goals: [
      goal('acceptance, 50 tenants to one hot tenant', ratioOf(many), { atLeast: 0.9 }),
      goal('acceptance, plan with a rate limit to one without', ratioOf(limited), { atLeast: 0.98 }),
    ],
  };
}

async function byPayload(context: Context): Promise<Row[]> {
  const rows: Row[] = [];
  for (const bytes of LARGER_PAYLOADS) {
    const event = { eventKey: EVENT_KEY, bytes, schedule: null };
    const compared = await againstExpress(
      context,
      `${bytes / KIB} KiB, ${GOAL_CONNECTIONS} connections, closed`,
      [
        closedLoop(context, { ...context.floor, event }, { connections: GOAL_CONNECTIONS }),
        closedLoop(context, { ...context.hot, event }, { connections: GOAL_CONNECTIONS }),
      ],
    );
    rows.push(rateRow(compared), latencyRow(compared));
  }
  return rows;
}

async function memoryGoal({ apis }: Installation): Promise<GoalResult> {
  const peaks = await Promise.all(apis.map(async ({ pid }) => (await memoryOf(pid)).peak));
  return goal('API process memory at 256 connections, MiB', Math.max(...peaks) / MEBI, { atMost: 250 });
}

async function measure(deps: MeasureDeps, installation: Installation, floorUrl: string): Promise<Findings> {
  const ledger = await openRunLedger(deps.bench, installation, { delivered: false });
  const [first] = installation.tenants;
  const hot = smallEventsTo(installation, first ? [first] : []);
  const many = smallEventsTo(installation, installation.tenants.slice(1, -1));
  const limited = smallEventsTo(installation, installation.tenants.slice(-1));
  const context: Context = { ...deps, ledger, hot, many, limited, floor: { ...hot, urls: [floorUrl] } };
  // Warms up: a process that has run for a while has compiled its code and opened its pools.
  await closedLoop(context, context.floor, { connections: GOAL_CONNECTIONS })();
  ledger.add(await closedLoop(context, hot, { connections: GOAL_CONNECTIONS })());
  const connections = await byConnections(context);
  const memory = await memoryGoal(installation);
  const tenants = await byTenants(context);
  const payloads = await byPayload(context);
  return {
    name: 'acceptance',
    title: 'Acceptance',
    rows: [...connections.rows, ...tenants.rows, ...payloads],
    goals: [...connections.goals, ...tenants.goals, memory],
    problems: await ledger.problems(),
    notes: ['One API process, no worker: what is accepted stays queued. Events of 0.3 KiB unless said.'],
  };
}

/** The rate and latency of acceptance, compared with a bare Express route that parses the same JSON. */
export const acceptance: Measure = {
  name: 'acceptance',
  async run(deps) {
    const installation = await openInstallation(deps.bench, {
      workers: 0,
      tenants: TENANTS + 2,
      lastLimited: true,
    });
    const express = await openExpressRoute();
    try {
      return await measure(deps, installation, express.url);
    } finally {
      await express.close();
      await installation.close();
    }
  },
};
