import { interleave, row, type Values } from '../report.ts';
import { SENDERS } from '../stack/services.ts';
import {
  type CommitFloor,
  type DeliveryFloors,
  type ExpressRoute,
  openCommitFloor,
  openDeliveryFloors,
  openExpressRoute,
} from './floors.ts';
import { closedLoop, rateOf, SMALL_EVENT } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

const CONNECTIONS = 64;
const JOBS = { least: 5_000, most: 100_000 };
const POSTS = { least: 5_000, most: 50_000 };
const MAILS = { least: 1_500, most: 15_000 };

interface Parts {
  readonly express: ExpressRoute;
  readonly commits: CommitFloor;
  readonly delivery: DeliveryFloors;
}

async function measure(deps: MeasureDeps, { express, commits, delivery }: Parts): Promise<Findings> {
  const { extent, say } = deps;
  say('floors');
  const rate = async (measured: Promise<number>): Promise<Values> => ({ per_second: await measured });
  const where = { urls: [express.url], tokens: [''], event: SMALL_EVENT };
  const jobs = extent.amount(JOBS.least, JOBS.most);
  const posts = extent.amount(POSTS.least, POSTS.most);
  const mails = extent.amount(MAILS.least, MAILS.most);
  const measured: readonly { readonly what: string; readonly run: () => Promise<Values> }[] = [
    {
      what: `bare Express route, ${CONNECTIONS} connections`,
      run: async () => rateOf(await closedLoop(deps, where, { connections: CONNECTIONS })()),
    },
    {
      what: 'the rows of an event by multi-row SQL, 128 in a commit, one connection',
      run: () => rate(commits.run(extent.roundMs)),
    },
    { what: 'BullMQ, empty jobs added and consumed', run: () => rate(delivery.bullmq(jobs)) },
    ...SENDERS.map((sender) => ({
      what: `${sender}, signed POSTs to the receiver`,
      run: () => rate(delivery.posts(sender, posts)),
    })),
    { what: 'nodemailer, mails to the receiver', run: () => rate(delivery.mails(mails)) },
  ];
  const results = await interleave(
    extent.rounds,
    measured.map(({ run }) => run),
  );
  return {
    name: 'floors',
    title: 'Floors',
    rows: measured.map(({ what }, index) => row({ what, unit: '/s', rounds: results[index] ?? [] })),
    goals: [],
    problems: [],
    notes: [],
  };
}

/** How fast the parts that the service builds on are on their own. */
export const floors: Measure = {
  name: 'floors',
  async run(deps) {
    const parts: Parts = {
      express: await openExpressRoute(),
      commits: await openCommitFloor(deps.bench),
      delivery: await openDeliveryFloors(deps.bench),
    };
    try {
      return await measure(deps, parts);
    } finally {
      await Promise.all(Object.values(parts).map((part) => part.close()));
    }
  },
};
