import { randomBytes } from 'node:crypto';
import type { BullmqFloor } from '../floors/bullmq.ts';
import type { HttpClient, PostsFloor } from '../floors/posts.ts';
import { startHelper } from '../processes/helper.ts';
import type { Workbench } from '../stack/workbench.ts';
import { SMALL_EVENT } from './loads.ts';

/** As WORKER_CONCURRENCY is by default: deliveries that a worker has open at once. */
export const CONCURRENCY = 100;

/** The parts beneath the delivery, each in processes of its own that stay for all rounds. */
export interface DeliveryFloors {
  /** Empty jobs per second, added by one process and taken by another. */
  bullmq(jobs: number): Promise<number>;
  /** Signed POSTs per second to the receiver. */
  posts(client: HttpClient, posts: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts the processes of the delivery's floors. */
export async function openDeliveryFloors(bench: Workbench): Promise<DeliveryFloors> {
  const producer = await startHelper<BullmqFloor>('floors/bullmq');
  const consumer = await startHelper<BullmqFloor>('floors/bullmq');
  const sender = await startHelper<PostsFloor>('floors/posts');
  return {
    async bullmq(jobs) {
      const queue = { redisUrl: bench.redisUrl, queue: `floor-${randomBytes(4).toString('hex')}` };
      const taking = consumer.ask('consume', { ...queue, jobs, concurrency: CONCURRENCY });
      const beganAtMs = await producer.ask('add', { ...queue, jobs, delayMs: 0 });
      const endedAtMs = (await taking).at(-1) ?? Number.NaN;
      return jobs / ((endedAtMs - beganAtMs) / 1_000);
    },
    async posts(client, posts) {
      const firstReference = bench.takeReferences(posts);
      await bench.receivers.ask('expect', { firstReference, events: posts });
      const { hookUrl: url } = bench.addresses;
      const load = { client, url, event: SMALL_EVENT, firstReference, posts, concurrency: CONCURRENCY };
      return sender.ask('run', load);
    },
    async close() {
      await Promise.all([producer, consumer, sender].map((helper) => helper.close()));
    },
  };
}
