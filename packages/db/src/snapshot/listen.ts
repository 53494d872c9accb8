import { setTimeout as delay } from 'node:timers/promises';
import { settlesWithin } from '@postrider/domain';
import { DatabaseClient } from '../database-client.ts';
import { streamOf } from '../pool.ts';
import type { ConfigNotice } from './snapshots.ts';

const CHANNEL = 'postrider_config';
const RECONNECT_AFTER_MS = 500;
const CONNECT_TIMEOUT_MS = 5_000;
/** How often the connection must answer. Notifications may not come for days, so their absence says nothing. */
const HEARTBEAT_MS = 10_000;
const ANSWER_LIMIT_MS = 5_000;
/** How long `close` waits for the connection to end. */
const CLOSE_LIMIT_MS = 1_000;

interface ConfigSubscription {
  /** Resolves when the first connection listens. */
  readonly listening: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Listens for configuration changes on a dedicated connection, and reconnects until closed, also when the connection
 * stops responding. Calls `onGap` after every connection, because notifications may have been missed.
 * @param heartbeatMs how often the connection must answer, in milliseconds
 */
export function listenForConfig({
  databaseUrl,
  onNotice,
  onGap,
  heartbeatMs = HEARTBEAT_MS,
}: {
  databaseUrl: string;
  onNotice: (notice: ConfigNotice) => void;
  onGap: () => void;
  heartbeatMs?: number;
}): ConfigSubscription {
  const closing = new AbortController();
  let current: DatabaseClient | undefined;
  let markListening: () => void = () => undefined;
  const listening = new Promise<void>((resolve) => {
    markListening = resolve;
  });

  async function listenOnce(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_LIMIT_MS,
      keepAlive: true,
    });
    const ended = new AbortController();
    client.on('error', () => ended.abort());
    client.on('end', () => ended.abort());
    current = client;
    try {
      await client.connect();
      client.on('notification', ({ payload }) => onNotice(payload ?? ''));
      await client.query(`LISTEN ${CHANNEL}`);
      onGap();
      markListening();
      for (;;) {
        await delay(heartbeatMs, undefined, { signal: ended.signal });
        await client.query('');
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function listenForever(): Promise<void> {
    while (!closing.signal.aborted) {
      await listenOnce().catch(() => undefined);
      await delay(RECONNECT_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const stopped = listenForever();
  return {
    listening,
    close: async () => {
      closing.abort();
      if (current) await settlesWithin([current.end()], CLOSE_LIMIT_MS);
      // A network that drops packets never reports that the connection has ended.
      if (current) streamOf(current).destroy();
      await stopped;
    },
  };
}
