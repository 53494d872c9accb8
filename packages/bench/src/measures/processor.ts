import { randomBytes } from 'node:crypto';
import type { BullmqFloor } from '../floors/bullmq.ts';
import type { PostsFloor } from '../floors/posts.ts';
import { type Helper, startHelper } from '../helper.ts';
import { type GoalResult, goal, interleave, type Row, row, type Values } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { spend } from '../usage.ts';
import { compareBuilds, costOf, rowsOver, secondsOf } from './builds.ts';
import {
  CONCURRENCY,
  type CommitFloor,
  type ExpressRoute,
  openCommitFloor,
  openExpressRoute,
} from './floors.ts';
import { closedLoop, SMALL_EVENT, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

const EVENTS = { least: 4_000, most: 40_000 };
const CONNECTIONS = 64;

interface Floors {
  readonly express: ExpressRoute;
  readonly sender: Helper<PostsFloor>;
  readonly commits: CommitFloor;
  readonly producer: Helper<BullmqFloor>;
  readonly consumer: Helper<BullmqFloor>;
}

interface Context extends MeasureDeps {
  readonly installation: Installation;
  readonly floors: Floors;
  readonly events: number;
  readonly problems: string[];
}

/** The floor for each process of the service: the part that it builds on, alone. */
async function floorRound(context: Context): Promise<Values> {
  const { bench, extent, installation, floors, sender, events } = context;
  const where = { ...smallEventsTo(installation, installation.tenants), urls: [floors.express.url] };
  const express = await spend({ api: floors.express.pid }, async () => {
    return (await closedLoop(context, where, { connections: CONNECTIONS })()).sent;
  });
  const posts = await spend({ worker: floors.sender.pid }, async () => {
    const firstReference = bench.takeReferences(events);
    await bench.receivers.ask('expect', { firstReference, events });
    const url = bench.addresses.hookUrl;
    const load = { client: sender, url, event: SMALL_EVENT, firstReference, posts: events };
    await floors.sender.ask('run', { ...load, concurrency: CONCURRENCY });
    return events;
  });
  const commits = await spend({ postgres: bench.pids.postgres }, async () => {
    const perSecond = await floors.commits.run(extent.roundMs);
    return (perSecond * extent.roundMs) / 1_000;
  });
  const jobs = await spend({ redis: bench.pids.redis }, async () => {
    const queue = { redisUrl: bench.redisUrl, queue: `floor-${randomBytes(4).toString('hex')}` };
    const taking = floors.consumer.ask('consume', { ...queue, jobs: events, concurrency: CONCURRENCY });
    await floors.producer.ask('add', { ...queue, jobs: events });
    await taking;
    return events;
  });
  return { ...express, ...posts, ...commits, ...jobs };
}

const FLOORS = {
  api: 'bare Express',
  worker: 'POSTs alone',
  postgres: 'the same rows in batches, no delivery',
  redis: 'BullMQ, empty jobs',
} as const;

/** The name of the line for a process. */
export const processorLine = (name: string) => `${name}, per 1,000 events`;

function rowsOf(floors: readonly Values[], subjects: readonly Values[]): Row[] {
  const rows = Object.entries(FLOORS).map(([name, what]) =>
    row({
      what: processorLine(name),
      unit: 's',
      rounds: secondsOf(subjects, name),
      floor: { what, rounds: secondsOf(floors, name) },
    }),
  );
  return [
    ...rows,
    row({ what: 'all four, per 1,000 events', unit: 's', rounds: secondsOf(subjects, 'total') }),
  ];
}

/** The goal for all four processes, per 1,000 events sent one after another: batches do not hide their fixed cost. */
const LONE_SECONDS = 1.8;

/** The goals for each process, in bare Express requests per event. */
const GOALS = { api: 3, worker: 4, postgres: 3, redis: 0.5, total: 11 } as const;

/** The processor time of an event by process, in units of a bare Express request in the same round. */
function inExpressRequests(
  floors: readonly Values[],
  subjects: readonly Values[],
): { rows: Row[]; goals: GoalResult[] } {
  const goals: GoalResult[] = [];
  const rows = Object.entries(GOALS).map(([name, atMost]) => {
    const units = subjects.map((values, round) => ({
      requests: (values[name] ?? Number.NaN) / (floors[round]?.api ?? Number.NaN),
    }));
    const line = row({ what: `${name}, per event`, unit: 'bare Express requests', rounds: units });
    goals.push(
      goal(
        `processor time per event, ${name}, in bare Express requests`,
        line.values.requests ?? Number.NaN,
        {
          atMost,
        },
      ),
    );
    return line;
  });
  return { rows, goals };
}

async function measure(context: Context): Promise<Findings> {
  context.say(`processor: ${context.events} events a round`);
  const busy = { events: context.events };
  const overConnections = (connections: number) => ({ events: context.events / 4, connections });
  await costOf(context, busy);
  const [floors = [], subjects = [], overOne = [], overEight = []] = await interleave(context.extent.rounds, [
    () => floorRound(context),
    () => costOf(context, busy),
    () => costOf(context, overConnections(1)),
    () => costOf(context, overConnections(8)),
  ]);
  const lone = rowsOver('one connection', overOne);
  const units = inExpressRequests(floors, subjects);
  return {
    name: 'processor',
    title: 'Processor seconds per 1,000 events, accepted and delivered',
    rows: [...rowsOf(floors, subjects), ...lone, ...rowsOver('eight connections', overEight), ...units.rows],
    goals: [
      ...units.goals,
      goal('processor seconds per 1,000 events over one connection', lone[0]?.values.seconds ?? Number.NaN, {
        atMost: LONE_SECONDS,
      }),
    ],
    problems: context.problems,
    notes: ['Counted by the kernel; Postgres with all of its processes.'],
  };
}

/** The processor time of an event in each process, from acceptance to the stored result; or compared with another build. */
export const processor: Measure = {
  name: 'processor',
  async run(deps) {
    if (deps.against) return compareBuilds(deps, deps.against);
    const installation = await openInstallation(deps.bench, { sender: deps.sender });
    const floors: Floors = {
      express: await openExpressRoute(),
      sender: await startHelper<PostsFloor>('floors/posts'),
      commits: await openCommitFloor(deps.bench),
      producer: await startHelper<BullmqFloor>('floors/bullmq'),
      consumer: await startHelper<BullmqFloor>('floors/bullmq'),
    };
    try {
      const events = deps.extent.amount(EVENTS.least, EVENTS.most);
      return await measure({ ...deps, installation, floors, events, problems: [] });
    } finally {
      await Promise.all(Object.values(floors).map((floor) => floor.close()));
      await installation.close();
    }
  },
};
