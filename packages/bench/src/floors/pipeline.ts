import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Queue, Worker } from 'bullmq';
import express from 'express';
import { createGotClient } from './posts.ts';

interface QueueOf {
  readonly redisUrl: string;
  readonly queue: string;
}

const connectionTo = (url: string) => ({ url, maxRetriesPerRequest: null });

/** Starts a route that adds each event to the queue unchanged, and then responds. Returns its URL. */
async function accept({ redisUrl, queue: name }: QueueOf): Promise<string> {
  const queue = new Queue(name, {
    connection: connectionTo(redisUrl),
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  await queue.waitUntilReady();
  const app = express();
  app.post('/api/v1/events', express.json(), async (request, response) => {
    await queue.add('deliver', request.body);
    response.status(201).json({ status: 'accepted' });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/events`;
}

/** Takes events from the queue and posts them to the receiver until the process ends. */
async function deliver({
  redisUrl,
  queue,
  hookUrl,
  concurrency,
}: QueueOf & { hookUrl: string; concurrency: number }): Promise<void> {
  const client = createGotClient();
  const headers = { 'content-type': 'application/json' };
  const worker = new Worker(
    queue,
    async ({ data }) => {
      await client(hookUrl, { headers, body: JSON.stringify(data) });
    },
    { connection: connectionTo(redisUrl), concurrency },
  );
  await worker.waitUntilReady();
}

/** The questions that a process of the bare pipeline answers: one process accepts, another delivers. */
export const handlers = { accept, deliver };
export type PipelineFloor = typeof handlers;
