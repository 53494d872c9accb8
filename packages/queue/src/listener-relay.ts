import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ListenerAnswer, NO_LISTENER, type RelayToListener, type ToRelay } from '@postrider/domain';
import type { RedisClient } from './redis.ts';

/** What a worker hands to the command line that listens to a channel. */
export interface RelayedDelivery {
  /** The id of this hand-over: a repeated attempt has another one. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds until an answer is of no use any more. */
  readonly timeout_ms: number;
}

/** Both sides of the relay, which meet in Redis: no process needs to reach another one. */
export interface ListenerRelay {
  /** For workers. */
  readonly deliver: RelayToListener;
  /** For API processes: notes that somebody listens, and takes the oldest delivery; null if there is none. */
  take(channelId: string): Promise<RelayedDelivery | null>;
  /** Puts back a delivery that could not be passed on, before the others. */
  putBack(channelId: string, delivery: RelayedDelivery): Promise<void>;
  /** Passes the answer to the worker. False if nobody waits for it, because it is late or the second one. */
  answer(channelId: string, id: string, answer: ListenerAnswer): Promise<boolean>;
}

/** Deliveries of a channel that wait to be taken. Its `max_in_flight` keeps them far below. */
const MAX_WAITING = 16;
/** The largest body in characters. What a channel can hold in Redis is 16 of them, and an API process 64. */
const MAX_BODY_LENGTH = 512 * 1_024;
/** How long after its last question a listener counts as there: it may be reconnecting. */
const PRESENCE_MS = 10_000;
/** How long something unclaimed stays in Redis, and so the longest attempt. */
const KEPT_MS = 120_000;
/** How long an answer stays that its worker does not fetch, such as one that was killed. */
const ANSWER_KEPT_MS = 10_000;
/** How often a worker looks for the answer. */
const POLL_MS = 100;

/**
 * Creates a side of the relay. What is in Redis may be lost at any time: the attempt then ends without an answer, and its run is
 * tried again.
 */
export function createListenerRelay(redis: RedisClient, prefix: string): ListenerRelay {
  // The braces keep the keys of a channel on one node of a Cluster.
  const keyOf = (channelId: string, what: string) => `${prefix}:listen:{${channelId}}:${what}`;
  const failed = (error: string, connected: boolean): ListenerAnswer => ({ error, connected });

  /** Adds to the waiting deliveries, and sets their end with it, so that a killed process leaves nothing behind. */
  async function push(side: 'lpush' | 'rpush', waiting: string, text: string): Promise<number> {
    const replies = await redis.multi()[side](waiting, text).pexpire(waiting, KEPT_MS).exec();
    const [failure, count] = replies?.[0] ?? [new Error('Redis executed nothing'), 0];
    if (failure) throw failure;
    return count as number;
  }

  /** Takes the answer out of Redis: many with large headers would fill it. */
  async function takeAnswer(key: string): Promise<ListenerAnswer | null> {
    const text = await redis.getdel(key);
    return text === null ? null : (JSON.parse(text) as ListenerAnswer);
  }

  /** Waits for the answer. Without one, takes the delivery back, and so finds out whether somebody has taken it. */
  async function waitForAnswer(
    { waiting, taken, answer: answerKey }: Readonly<Record<'waiting' | 'taken' | 'answer', string>>,
    text: string,
    { timeoutMs, signal }: ToRelay,
  ) {
    const endsAt = performance.now() + timeoutMs;
    while (performance.now() < endsAt && !signal.aborted) {
      const answer = await takeAnswer(answerKey);
      if (answer) return answer;
      await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    const isTaken = (await redis.lrem(waiting, 1, text)) === 0;
    // From here on an answer is late, and refused.
    if (isTaken) await redis.del(taken);
    const last = isTaken ? await takeAnswer(answerKey) : null;
    return last ?? (isTaken ? failed('ETIMEDOUT', true) : failed(NO_LISTENER, false));
  }

  return {
    async deliver(delivery) {
      const { channelId, headers, body, timeoutMs } = delivery;
      if (redis.status !== 'ready' || body.length > MAX_BODY_LENGTH) return failed(NO_LISTENER, false);
      const waiting = keyOf(channelId, 'waiting');
      const id = randomUUID();
      const text = JSON.stringify({
        id,
        headers,
        body,
        timeout_ms: Math.ceil(timeoutMs),
      } satisfies RelayedDelivery);
      try {
        if ((await redis.exists(keyOf(channelId, 'here'))) === 0) return failed(NO_LISTENER, false);
        const count = await push('rpush', waiting, text);
        if (count > MAX_WAITING && (await redis.lrem(waiting, 1, text)) > 0)
          return failed(NO_LISTENER, false);
        const [taken, answer] = [keyOf(channelId, `taken:${id}`), keyOf(channelId, `answer:${id}`)];
        return await waitForAnswer({ waiting, taken, answer }, text, delivery);
      } catch {
        // Somebody may have taken it before Redis was lost.
        return failed('ECONNRESET', true);
      }
    },
    async take(channelId) {
      await redis.set(keyOf(channelId, 'here'), 1, 'PX', PRESENCE_MS);
      const text = await redis.lpop(keyOf(channelId, 'waiting'));
      if (text === null) return null;
      const delivery = JSON.parse(text) as RelayedDelivery;
      await redis.set(keyOf(channelId, `taken:${delivery.id}`), 1, 'PX', KEPT_MS);
      return delivery;
    },
    async putBack(channelId, delivery) {
      await push('lpush', keyOf(channelId, 'waiting'), JSON.stringify(delivery));
    },
    async answer(channelId, id, answer) {
      if ((await redis.del(keyOf(channelId, `taken:${id}`))) === 0) return false;
      await redis.set(keyOf(channelId, `answer:${id}`), JSON.stringify(answer), 'PX', ANSWER_KEPT_MS);
      return true;
    },
  };
}
