import { createEventBodies } from '../load/event-body.ts';
import type { LoadResult } from '../load/tally.ts';
import { goal, row, type Values } from '../report.ts';
import { withClient } from '../stack/databases.ts';
import { fillWithMessages } from '../stack/fill.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { closedLoop, rateOf, SMALL_EVENT, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { openRunLedger } from './run-ledger.ts';

const CONNECTIONS = 64;
/** Messages that retention removes. */
const EXPIRED = { least: 20_000, most: 1_000_000 };
const RETENTION_DAYS = 7;
/** So far ahead that the worker has nothing to deliver of what is accepted meanwhile. */
const FAR_MS = 20 * 24 * 3_600_000;
const TABLES = ['messages', 'delivery_runs', 'attempts'] as const;
const MEBI = 1_048_576;
/** Rounds that are compared with one without the removal; later rounds only finish the removal. */
const COMPARED_ROUNDS = 10;
/** Rounds after which the removal has failed. */
const MAX_ROUNDS = 400;

interface Context extends MeasureDeps {
  readonly installation: Installation;
  readonly expired: number;
}

/** Size on disk of each table with its indexes, in MiB. */
async function tableSizes({ databaseUrl }: Installation): Promise<Values> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT name, pg_total_relation_size(name::regclass) AS bytes FROM unnest($1::text[]) AS name',
      [TABLES],
    );
    return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes) / MEBI]));
  });
}

/** Sets how many days plans keep messages (null: always), and makes the removal check at once. */
async function keepMessages({ databaseUrl }: Installation, days: number | null): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('UPDATE plans SET retention_days = $1', [days]);
    await client.query("UPDATE retention_turn SET next_at = now() - interval '1 second'");
  });
}

async function countExpired({ databaseUrl }: Installation): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT count(*) FROM messages WHERE created_at < now() - make_interval(days => $1)',
      [RETENTION_DAYS],
    );
    return Number(rows[0].count);
  });
}

function createLoad({ installation, ...deps }: Context): () => Promise<LoadResult> {
  const where = smallEventsTo(installation, installation.tenants);
  const dueAt = Date.now() + FAR_MS;
  const schedule = { fromMs: dueAt, spreadMs: 0, firstReference: 0, events: 1 };
  return () =>
    closedLoop(deps, { ...where, event: { ...SMALL_EVENT, schedule } }, { connections: CONNECTIONS })();
}

interface Rounds {
  /** Each ran just before the entry of `beside` with the same index. */
  readonly alone: LoadResult[];
  readonly beside: LoadResult[];
  readonly removed: number[];
}

/** Accepts alternately without and during the removal, then only during it, until everything is removed. */
async function acceptBesideRemoval(context: Context): Promise<Rounds> {
  const { installation, expired } = context;
  const load = createLoad(context);
  const rounds: Rounds = { alone: [], beside: [], removed: [] };
  await keepMessages(installation, null);
  let left = expired;
  for (let round = 0; left > 0; round += 1) {
    if (round === MAX_ROUNDS) throw new Error(`${left} expired messages are not removed`);
    if (round < COMPARED_ROUNDS) rounds.alone.push(await load());
    await keepMessages(installation, RETENTION_DAYS);
    rounds.beside.push(await load());
    await keepMessages(installation, null);
    const before = left;
    left = await countExpired(installation);
    rounds.removed.push(before - left);
  }
  return rounds;
}

/** Leaves out the last round, in which the removal finished, unless it is the only one. */
const whole = <Round>(rounds: readonly Round[]) => (rounds.length > 1 ? rounds.slice(0, -1) : rounds);

async function vacuum({ databaseUrl }: Installation): Promise<void> {
  await withClient(databaseUrl, (client) => client.query(`VACUUM (TRUNCATE true) ${TABLES.join(', ')}`));
}

async function measure(context: Context): Promise<Findings> {
  const { bench, extent, installation, expired, say } = context;
  const ledger = await openRunLedger(bench, installation, { delivered: false });
  const sizes = { full: await tableSizes(installation) };
  say(`retention: removes ${expired} messages beside acceptance`);
  const { alone, beside, removed } = await acceptBesideRemoval(context);
  for (const result of [...alone, ...beside]) ledger.add(result);
  const emptied = await tableSizes(installation);
  await vacuum(installation);
  const vacuumed = await tableSizes(installation);
  const accepted = row({
    what: 'accepted beside the removal',
    unit: '/s',
    rounds: whole(beside).slice(0, COMPARED_ROUNDS).map(rateOf),
    floor: { what: 'without it', rounds: alone.slice(0, whole(beside).length).map(rateOf) },
  });
  const seconds = (extent.roundMs + extent.warmUpMs) / 1_000;
  const size = (what: string, values: Values) => row({ what, unit: 'MiB', rounds: [values] });
  return {
    name: 'retention',
    title: 'Retention',
    rows: [
      accepted,
      row({
        what: 'accepted until all is removed',
        unit: '/s',
        rounds: whole(beside).map(rateOf),
      }),
      row({
        what: `removed, of ${expired} messages`,
        unit: '/s',
        rounds: whole(removed).map((count) => ({ per_second: count / seconds })),
      }),
      size('tables with the expired messages', sizes.full),
      size('tables when they are removed', emptied),
      size('tables after VACUUM', vacuumed),
    ],
    goals: [
      goal('acceptance beside the removal to acceptance alone', accepted.ratios?.per_second ?? Number.NaN, {
        atLeast: 0.8,
      }),
    ],
    problems: await ledger.problems(),
    notes: [
      'One API and one worker process; what is accepted is scheduled far ahead, so that nothing is delivered ' +
        'meanwhile. The tables also hold what was accepted in the rounds.',
    ],
  };
}

/** Acceptance while retention removes old messages, and the size of the tables afterwards. */
export const retention: Measure = {
  name: 'retention',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { sender: deps.sender });
    try {
      const expired = deps.extent.amount(EXPIRED.least, EXPIRED.most);
      const [tenant] = installation.tenants;
      if (!tenant) throw new Error('the installation has no tenant');
      const { payload } = JSON.parse(createEventBodies(SMALL_EVENT)(0));
      deps.say(`retention: stores ${expired} messages`);
      await fillWithMessages(
        installation.databaseUrl,
        tenant,
        expired,
        JSON.stringify(payload),
        RETENTION_DAYS + 1,
      );
      return await measure({ ...deps, installation, expired });
    } finally {
      await installation.close();
    }
  },
};
