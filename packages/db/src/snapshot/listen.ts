import { setTimeout as delay } from 'node:timers/promises';
import { settlesWithin } from '@postrider/domain';
import { Client } from 'pg';
import { streamOf } from '../connection-stream.ts';
import type { ConfigNotice } from './snapshots.ts';

const CHANNEL = 'postrider_config';
const RECONNECT_AFTER_MS = 500;
const CONNECT_TIMEOUT_MS = 5_000;
/** How long `close` waits for the connection to end. */
const CLOSE_LIMIT_MS = 1_000;

interface ConfigListener {
  /** Resolves when the first connection listens. */
  readonly listening: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Listens for configuration changes on a dedicated connection, and reconnects until closed. Calls `onGap` after every
 * connection, because notifications may have been missed.
 */
export function listenForConfig({
  databaseUrl,
  onNotice,
  onGap,
}: {
  databaseUrl: string;
  onNotice: (notice: ConfigNotice) => void;
  onGap: () => void;
}): ConfigListener {
  const closing = new AbortController();
  let current: Client | undefined;
  let markListening: () => void = () => undefined;
  const listening = new Promise<void>((resolve) => {
    markListening = resolve;
  });

  async function listenOnce(): Promise<void> {
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
    });
    current = client;
    try {
      await client.connect();
      client.on('notification', ({ payload }) => onNotice(payload ?? ''));
      await client.query(`LISTEN ${CHANNEL}`);
      onGap();
      markListening();
      await ended;
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
