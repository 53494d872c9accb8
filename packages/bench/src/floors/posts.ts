import { createHmac, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { monotonicMs } from '../load/clock.ts';
import { createEventBodies, type EventShape } from '../load/event-body.ts';
import type { Sender } from '../processes/sender.ts';
import { serve } from '../processes/serve.ts';
import { createGotClient } from './got-client.ts';

export interface Posts {
  readonly client: Sender;
  readonly url: string;
  readonly event: EventShape;
  readonly firstReference: number;
  readonly posts: number;
  /** Open at once, as the worker has deliveries. */
  readonly concurrency: number;
}

type Post = (headers: Record<string, string>, body: string) => Promise<unknown>;

const TIMEOUT_MS = 15_000;
const SECRET = randomBytes(24);

function gotPost(url: string): Post {
  const client = createGotClient();
  return (headers, body) => client(url, { headers, body });
}

function undiciPost(url: string, connections: number): Post {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  return async (headers, body) => {
    const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
    await answer.body.text();
  };
}

function signed(body: string): Record<string, string> {
  const signature = createHmac('sha256', SECRET).update(body).digest('base64');
  return { 'content-type': 'application/json', 'webhook-signature': `v1,${signature}` };
}

/** Posts signed bodies, so many at a time, and returns posts per second. */
async function run({ client, url, event, firstReference, posts, concurrency }: Posts): Promise<number> {
  const post = client === 'got' ? gotPost(url) : undiciPost(url, concurrency);
  const bodyOf = createEventBodies(event);
  let next = 0;
  async function lane(): Promise<void> {
    while (next < posts) {
      const body = bodyOf(firstReference + next);
      next += 1;
      await post(signed(body), body);
    }
  }
  const beganAtMs = monotonicMs();
  await Promise.all(Array.from({ length: concurrency }, lane));
  return posts / ((monotonicMs() - beganAtMs) / 1_000);
}

const handlers = { run };

/** What the process that only posts can be asked for. */
export type PostsFloor = typeof handlers;

serve(handlers);
