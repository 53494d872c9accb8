import { migrate } from '@postrider/db';
import type { Service } from '@postrider/local-stack/testing';
import { type LoadOptions, mixedTraffic, waitFor } from '@postrider/rig';
import { countFailed, countLost } from '../scenarios/answers.ts';
import type { Context, Scenario } from '../scenarios/scenario.ts';
import { underLoad } from '../scenarios/steps.ts';
import { type Installation, openInstallation, type Release } from './installation.ts';
import { readLeftJobs } from './left-jobs.ts';
import { figuresOf, latenessOf, runsOf, type Stage, stageTable } from './stages.ts';

const APIS = 2;
const WORKERS = 3;
const WEBHOOKS = ['/one', '/two'];
const CONCURRENCY = 50;
/** The pause between two events of a lane. It leaves processor time for starting processes on two cores. */
const PAUSE_MS = 250;
/** The least number of events after each change of processes. */
const EVENTS = 100;
/** Attempts that are open when the old workers are killed. */
const OPEN_ATTEMPTS = 6;
/** Jobs of each kind that 0.1.0 must have left before a worker of this release starts. */
const LEFT_JOBS = 300;
/** The share of events that are scheduled and not cancelled, so that their jobs outlast a stage. */
const SCHEDULED = 0.15;
const AHEAD_MS = { least: 3_000, most: 30_000 };
/** Runs that a sweep of 0.1.0 had to enqueue start later than this: it leaves a run alone for a second after it is due. */
const SWEPT_MS = 1_000;
const ROLLED_BACK = 'the workers of 0.1.0 with the new API';

/** Mixed traffic, and scheduled events that are not cancelled. */
function traffic({ driver, random }: Context): Required<Pick<LoadOptions, 'vary' | 'afterwards'>> {
  const mixed = mixedTraffic(driver, random);
  const kept = new Set<string>();
  return {
    vary(event, index) {
      if (random.next() >= SCHEDULED) return mixed.vary(event, index);
      kept.add(event.reference);
      return { ...event, scheduleAt: new Date(Date.now() + random.between(AHEAD_MS.least, AHEAD_MS.most)) };
    },
    afterwards: async (event, answer) => {
      if (!kept.has(event.reference)) await mixed.afterwards(event, answer);
    },
  };
}

interface Upgrade {
  readonly context: Context;
  readonly installation: Installation;
  /** Begins a stage. */
  enter(stage: string): void;
  /** Resolves when `count` further events have been answered. */
  events(count: number): Promise<void>;
}

/** Stops a process gracefully while clients use the others, and starts it again with a release. */
async function replace({ context, installation }: Upgrade, service: Service, by: 'old' | 'new') {
  const { outOfRotation } = context;
  outOfRotation.add(service);
  await service.stop();
  installation.assign(service, by);
  await service.start();
  outOfRotation.delete(service);
}

/** Kills all old workers while they send, and waits until the old API has left enough jobs of every kind. */
async function leaveJobs({ context, installation }: Upgrade): Promise<Record<string, number>> {
  const { db, workers, redis } = installation;
  const isOpen = async () => (await db.attempt.count({ where: { status: 'running' } })) >= OPEN_ATTEMPTS;
  await waitFor('attempts to be open', isOpen, { pollMs: 20 });
  await Promise.all(workers.map((worker) => worker.kill()));
  const left = await waitFor('enough jobs without a worker', async () => {
    const jobs = await readLeftJobs(redis.url);
    return jobs.waiting.length >= LEFT_JOBS && jobs;
  });
  const { waiting, delayed, active } = left;
  context.expect(
    delayed.length > 0 && active.length > 0,
    `0.1.0 left jobs that were delayed (${delayed.length}) and open (${active.length})`,
  );
  const others = [...waiting, ...delayed, ...active].filter((id) => !id.startsWith('run-'));
  context.expect(others.length === 0, `all jobs are those of 0.1.0; ${others.length} were not`);
  return {
    jobs_left_waiting: waiting.length,
    jobs_left_delayed: delayed.length,
    jobs_left_open: active.length,
  };
}

/** Waits until every run that is due now has been attempted or has ended. */
async function untilAttempted({ db }: Installation): Promise<void> {
  const now = new Date();
  const where = { dueAt: { lte: now }, createdAt: { lte: now }, attemptCount: 0, completedAt: null };
  await waitFor('what was left to be sent', async () => (await db.deliveryRun.count({ where })) === 0);
}

async function upgrade(current: Upgrade): Promise<Record<string, number>> {
  const { installation, enter } = current;
  const settle = async () => {
    await current.events(EVENTS);
    await untilAttempted(installation);
  };
  const { apis, workers, postgres } = installation;
  const [first, ...others] = workers;
  if (!first) throw new Error('there is no worker');

  enter('0.1.0 alone');
  await settle();
  enter('migrating, 0.1.0 alone');
  await migrate(postgres.url);
  await settle();
  enter('all workers of 0.1.0 killed');
  const left = await leaveJobs(current);
  enter('a new worker alone, with what 0.1.0 left');
  installation.assign(first, 'new');
  await first.start();
  await settle();
  enter('a new worker beside two of 0.1.0');
  await Promise.all(others.map((worker) => worker.start()));
  await settle();
  enter('replacing the workers');
  for (const worker of others) await replace(current, worker, 'new');
  await settle();
  enter('replacing the API');
  for (const api of apis) {
    await replace(current, api, 'new');
    await settle();
  }
  enter('a worker of 0.1.0 beside two new ones');
  await replace(current, first, 'old');
  await settle();
  enter(ROLLED_BACK);
  for (const worker of others) await replace(current, worker, 'old');
  await settle();
  enter('replacing the workers again');
  for (const worker of workers) await replace(current, worker, 'new');
  await settle();
  enter('migrate --finish, all new');
  await migrate(postgres.url, { finish: true });
  await settle();
  return left;
}

/** A rolling upgrade, and the table of its stages, which is empty until the scenario has drained. */
export interface RollingUpgrade {
  readonly scenario: Scenario;
  table(): string;
}

/**
 * Creates the scenario that upgrades an installation of 0.1.0 to this release under load. The old workers are killed first,
 * so that they leave jobs in every state. Then the workers are replaced one by one, and the API processes. Finally the workers
 * are rolled back and replaced once more. No request may fail.
 */
export function createRollingUpgrade(release: Release): RollingUpgrade {
  let installation: Installation | null = null;
  const stages: Stage[] = [];
  let rows = '';
  const scenario: Scenario = {
    number: 20,
    name: 'rolling-upgrade',
    fault: 'rolling upgrade from 0.1.0 under load',
    script: 'test:rolling-upgrade',
    rounds: 'replacements',
    measured: ['failed_requests', 'jobs_left_waiting', 'lost_attempts'],
    treat: (random) => ({
      delayMs: random.between(50, 150),
      answer: random.next() < 0.05 ? 'refused' : 'accepted',
    }),
    async openStack(deps) {
      const options = { apis: APIS, workers: WORKERS, webhooks: WEBHOOKS, concurrency: CONCURRENCY };
      installation = await openInstallation({ release, ...options }, deps);
      return installation;
    },
    async run(context) {
      const opened = installation;
      if (!opened) throw new Error('the installation is not open');
      let left: Record<string, number> = {};
      const inflict = async (answered: () => number) => {
        left = await upgrade({
          context,
          installation: opened,
          enter: (name) => stages.push({ name, beganAt: Date.now() }),
          async events(count) {
            const goal = answered() + count;
            await waitFor(`${count} events`, () => answered() >= goal);
          },
        });
      };
      await underLoad(context, inflict, { ...traffic(context), pauseMs: PAUSE_MS });
      const failed = countFailed(context.driver.ledger);
      context.expect(failed === 0, `no request fails; ${failed} did`);
      return { ...left, replacements: APIS + 3 * WORKERS, failed_requests: failed };
    },
    afterDrain({ expect }, ledgers) {
      rows = stageTable(figuresOf(stages, ledgers));
      const lost = countLost(ledgers);
      expect(lost > 0, 'attempts were open when their worker was killed');
      const swept = latenessOf(runsOf(stages, ROLLED_BACK, ledgers)).filter((late) => late > SWEPT_MS).length;
      expect(swept > 0, 'workers of 0.1.0 met jobs that they cannot read');
      return { lost_attempts: lost, swept_after_rollback: swept };
    },
  };
  return { scenario, table: () => rows };
}
