import { randomBytes } from 'node:crypto';
import type { BullmqFloor } from '../floors/bullmq.ts';
import type { ExpressFloor } from '../floors/express.ts';
import type { MailsFloor } from '../floors/mails.ts';
import type { PostsFloor } from '../floors/posts.ts';
import type { SqlFloor } from '../floors/sql.ts';
import { startHelper } from '../helper.ts';
import type { Sender } from '../stack/services.ts';
import { createTenants } from '../stack/tenants.ts';
import type { Workbench } from '../stack/workbench.ts';
import { SMALL_EVENT } from './loads.ts';

/** Deliveries that a worker has open at once: the default of WORKER_CONCURRENCY. */
export const CONCURRENCY = 100;

const ONE_TENANT = { tenants: 1, webhooks: 1, otherWebhooks: 0, email: false };
/** As many as the worker opens for each email channel. */
const SMTP_CONNECTIONS = 10;

/** The parts of a delivery, each in its own processes, which stay for all rounds. */
export interface DeliveryFloors {
  /** Returns empty jobs per second, added by one process and taken by another. */
  bullmq(jobs: number): Promise<number>;
  /** Returns signed POSTs per second to the receiver. */
  posts(client: Sender, posts: number): Promise<number>;
  /** Returns mails per second to the receiver. */
  mails(mails: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts the processes of the delivery floors. */
export async function openDeliveryFloors(bench: Workbench): Promise<DeliveryFloors> {
  const producer = await startHelper<BullmqFloor>('floors/bullmq');
  const consumer = await startHelper<BullmqFloor>('floors/bullmq');
  const mailer = await startHelper<MailsFloor>('floors/mails');
  const sender = await startHelper<PostsFloor>('floors/posts');
  return {
    async bullmq(jobs) {
      const queue = { redisUrl: bench.redisUrl, queue: `floor-${randomBytes(4).toString('hex')}` };
      const taking = consumer.ask('consume', { ...queue, jobs, concurrency: CONCURRENCY });
      const beganAtMs = await producer.ask('add', { ...queue, jobs });
      const endedAtMs = (await taking).atMs.at(-1) ?? Number.NaN;
      return jobs / ((endedAtMs - beganAtMs) / 1_000);
    },
    async posts(client, posts) {
      const firstReference = bench.takeReferences(posts);
      await bench.receivers.ask('expect', { firstReference, events: posts });
      const { hookUrl: url } = bench.addresses;
      const load = { client, url, event: SMALL_EVENT, firstReference, posts, concurrency: CONCURRENCY };
      return sender.ask('run', load);
    },
    async mails(mails) {
      const firstReference = bench.takeReferences(mails);
      await bench.receivers.ask('expect', { firstReference, events: mails });
      const { smtpPort } = bench.addresses;
      return mailer.ask('run', { smtpPort, firstReference, mails, connections: SMTP_CONNECTIONS });
    },
    async close() {
      await Promise.all([producer, consumer, sender, mailer].map((helper) => helper.close()));
    },
  };
}

/** The size of the service's largest acceptance batch. */
const SQL_BATCH = 128;

/** One connection that commits the rows of events itself, on a database without the service. */
export interface CommitFloor {
  /** Returns events per second. */
  run(durationMs: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts the commit-only process. */
export async function openCommitFloor(bench: Workbench): Promise<CommitFloor> {
  const databaseUrl = await bench.databases.create();
  const [tenant] = await createTenants(databaseUrl, bench.key, ONE_TENANT, bench.addresses);
  if (!tenant) throw new Error('one tenant was asked for');
  const { tenantId, environmentId, channelId } = tenant;
  const committer = await startHelper<SqlFloor>('floors/sql');
  return {
    run: (durationMs) =>
      committer.ask('run', {
        databaseUrl,
        tenantId,
        environmentId,
        channelId,
        event: SMALL_EVENT,
        durationMs,
        batch: SQL_BATCH,
      }),
    async close() {
      await committer.close();
      await bench.databases.drop(databaseUrl);
    },
  };
}

/** The bare route, in its own process. */
export interface ExpressRoute {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

/** Starts the process that only parses and answers. */
export async function openExpressRoute(): Promise<ExpressRoute> {
  const express = await startHelper<ExpressFloor>('floors/express');
  return { url: await express.ask('start', null), pid: express.pid, close: express.close };
}
