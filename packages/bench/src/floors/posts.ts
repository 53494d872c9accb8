import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { countUp, monotonicMs, sideBySide } from '@postrider/rig';
import { type Got, got } from 'got';
import { createEventBodies, type EventShape } from '../load/event-body.ts';
import type { Sender } from '../stack/services.ts';

export interface Posts {
  readonly client: Sender;
  readonly url: string;
  readonly event: EventShape;
  readonly firstReference: number;
  readonly posts: number;
  /** Requests at once: as many as the worker has deliveries. */
  readonly concurrency: number;
}

type Post = (headers: Record<string, string>, body: string) => Promise<unknown>;

const TIMEOUT_MS = 15_000;
const createAgent = () => new Agent({ keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' });

/** got with the options of the worker's webhook sender. */
export const createGotClient = (): Got =>
  got.extend({
    method: 'POST',
    agent: { http: createAgent() },
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    timeout: { request: TIMEOUT_MS },
  });

const SECRET = randomBytes(24);

function nodePost(url: string): Post {
  const agent = createAgent();
  return async (headers, body) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: TIMEOUT_MS }).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
  };
}

function gotPost(url: string): Post {
  const client = createGotClient();
  return (headers, body) => client(url, { headers, body });
}

function signed(body: string): Record<string, string> {
  const signature = createHmac('sha256', SECRET).update(body).digest('base64');
  return { 'content-type': 'application/json', 'webhook-signature': `v1,${signature}` };
}

/** Posts signed bodies, `concurrency` at a time, and returns posts per second. */
async function run({ client, url, event, firstReference, posts, concurrency }: Posts): Promise<number> {
  const clients: Record<Sender, () => Post> = {
    node: () => nodePost(url),
    got: () => gotPost(url),
  };
  const post = clients[client]();
  const bodyOf = createEventBodies(event);
  const beganAtMs = monotonicMs();
  await sideBySide(countUp(posts), concurrency, async (index) => {
    const body = bodyOf(firstReference + index);
    await post(signed(body), body);
  });
  return posts / ((monotonicMs() - beganAtMs) / 1_000);
}

/** The questions that the post-only process answers. */
export const handlers = { run };
export type PostsFloor = typeof handlers;
