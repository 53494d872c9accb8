import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';

const LIMIT_MS = 30_000;
const PAUSE_MS = 50;

/** A connection to one server, whatever its part; the caller disconnects it. */
export function connectTo(port: number, password?: string): Redis {
  const redis = new Redis({ host: '127.0.0.1', port, ...(password === undefined ? {} : { password }) });
  redis.on('error', () => undefined);
  return redis;
}

/** Asks until the answer is true; rejects after 30 s. An error counts as false: the server may be starting. */
export async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`waited ${LIMIT_MS / 1000} s in vain for ${what}`);
    await pause(PAUSE_MS);
  }
}

/** Whether a replica has all that its primary has, as far as it knows. */
export async function isReplicating(redis: Redis): Promise<boolean> {
  return (await redis.info('replication')).includes('master_link_status:up');
}
