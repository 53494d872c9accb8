import { type KindFacts, SERVICE_KINDS } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import type { ConsumerKey } from '../channels/consumer-record.ts';
import { acrossEnvironments, type Database } from '../client.ts';
import { inShare } from '../shares.ts';
import { readInEnvironments } from '../transactions/transaction.ts';
import {
  loadOperators,
  loadOperatorTokens,
  type OperatorSnapshot,
  type OperatorTokenSnapshot,
} from './access.ts';
import { CONSUMER_BATCHES, type ConsumerSnapshot, loadConsumers } from './consumers.ts';
import { type EnvironmentSnapshot, loadEnvironment, loadTokens, type TokenSnapshot } from './load.ts';
import { createFinder, createMemo, createSecretMemo } from './memo.ts';

/** The most environments, operators and tokens in the cache of a process. */
const MAX_ENVIRONMENTS = 1_000;
const MAX_OPERATORS = 1_000;
const MAX_TOKENS = 20_000;
/** The most memory of cached consumers, by an estimate: thousands of usual ones. */
const MAX_CONSUMER_BYTES = 24 * 1_048_576;
/** Unknown tokens share queries and never use more than two connections. */
const TOKEN_BATCHES = { maxItems: 256, maxInFlight: 2, isItemError: () => false };

/**
 * A notification about a change: `environment:<id>`, `consumer:<environment id>:<id>` (also of its tokens), `tenant:<id>`, `plan:<code>`,
 * `session:<id>` of the console, or `access:<id>` of an operator, a role or an operator's token.
 */
export type ConfigNotice = string;

export interface Snapshots {
  /**
   * The valid token with this SHA-256, or null. A token is refused from its expiry on, by the database's clock, also
   * from the cache. Throws if PostgreSQL cannot be reached.
   */
  readonly token: (hash: Uint8Array) => Promise<TokenSnapshot | null>;
  readonly environment: (id: string) => Promise<EnvironmentSnapshot | null>;
  /** The consumer with its channels, or null. Nothing of it is in the environment's snapshot. */
  readonly consumer: (key: ConsumerKey) => Promise<ConsumerSnapshot | null>;
  /** Like {@link token}, for the token of an operator or a machine. */
  readonly operatorToken: (hash: Uint8Array) => Promise<OperatorTokenSnapshot | null>;
  /** The enabled operator with this UUID, or null. */
  readonly operator: (id: string) => Promise<OperatorSnapshot | null>;
  /** Drops the entries that a notification names. */
  readonly drop: (notice: ConfigNotice) => void;
  /** Drops everything: notifications may have been missed. */
  readonly clear: () => void;
  /** Calls this with each notification, and with null for {@link clear}. Other caches drop their entries by it. */
  readonly onDrop: (listener: (notice: ConfigNotice | null) => void) => void;
}

/** The end of a notice about a consumer, which is its key in the cache. */
const noticeOf = ({ environmentId, id }: ConsumerKey) => `${environmentId}:${id}`;

function consumerKeyOf(notice: string): ConsumerKey {
  const [environmentId = '', id = ''] = notice.split(/:(.*)/, 2);
  return { environmentId, id };
}

/** Creates the caches over `db`; `monotonicNow` is in milliseconds. */
export function createSnapshots({
  db,
  kinds = SERVICE_KINDS,
  monotonicNow = () => performance.now(),
}: {
  db: Database;
  kinds?: readonly KindFacts[];
  monotonicNow?: () => number;
}): Snapshots {
  const environments = createMemo(monotonicNow, MAX_ENVIRONMENTS, (id) =>
    // Requests of all shares wait for it.
    inShare('work', () => readInEnvironments(db, [id], (tx) => loadEnvironment(tx, id, monotonicNow, kinds))),
  );
  const loadConsumer = createBatcher(
    (keys: readonly ConsumerKey[]) => loadConsumers(db, keys, kinds),
    CONSUMER_BATCHES,
  );
  const consumers = createFinder<ConsumerSnapshot>(
    monotonicNow,
    createMemo(
      monotonicNow,
      { maxBytes: MAX_CONSUMER_BYTES, bytesOf: (consumer) => consumer?.bytes ?? 1 },
      (key) => inShare('work', () => loadConsumer(consumerKeyOf(key))),
    ),
  );
  // The environment is only known once the token is found.
  const across = acrossEnvironments(db);
  const loadToken = createBatcher(
    (hashes: readonly Uint8Array[]) => loadTokens(across, hashes, monotonicNow),
    TOKEN_BATCHES,
  );
  const tokens = createSecretMemo<TokenSnapshot>(monotonicNow, MAX_TOKENS, loadToken);
  const loadOperatorToken = createBatcher(
    (hashes: readonly Uint8Array[]) => loadOperatorTokens(across, hashes, monotonicNow),
    TOKEN_BATCHES,
  );
  const operatorTokens = createSecretMemo<OperatorTokenSnapshot>(monotonicNow, MAX_TOKENS, loadOperatorToken);
  const loadOperator = createBatcher((ids: readonly string[]) => loadOperators(across, ids), TOKEN_BATCHES);
  const operators = createMemo(monotonicNow, MAX_OPERATORS, loadOperator);
  const listeners: ((notice: ConfigNotice | null) => void)[] = [];

  /** The token, if it is valid, until its expiry. */
  async function unexpired<Token extends { readonly expiresAt: number }>(
    finding: Promise<Token | null>,
  ): Promise<Token | null> {
    const token = await finding;
    return token && monotonicNow() < token.expiresAt ? token : null;
  }

  function drop(notice: ConfigNotice): void {
    const [subject, id] = notice.split(/:(.*)/, 2);
    if (subject === 'environment' && id) {
      environments.drop(id);
      tokens.dropWhere((token) => token.environmentId === id);
    } else if (subject === 'consumer' && id) {
      consumers.drop(id);
      const key = consumerKeyOf(id);
      tokens.dropWhere(
        ({ environmentId, consumerId }) => environmentId === key.environmentId && consumerId === key.id,
      );
    } else if (subject === 'tenant') {
      environments.dropWhere((environment) => environment.tenant.id === id);
    } else if (subject === 'access') {
      // Rights depend on operators, roles and tokens, which change rarely.
      operators.clear();
      operatorTokens.dropWhere(() => true);
      // A session of the portal ends with the operator who issued its link.
      tokens.dropWhere(({ consumerId }) => consumerId !== null);
    } else if (subject === 'session') {
      // The sessions of the portal that it issued end with it.
      tokens.dropWhere(({ consumerId }) => consumerId !== null);
    } else {
      environments.clear();
    }
    for (const listener of listeners) listener(notice);
  }

  return {
    token: (hash) => unexpired(tokens.find(hash)),
    environment: (id) => environments.get(id),
    consumer: (key) => consumers.find(noticeOf(key)),
    operatorToken: (hash) => unexpired(operatorTokens.find(hash)),
    operator: (id) => operators.get(id),
    drop,
    clear: () => {
      environments.clear();
      consumers.clear();
      operators.clear();
      tokens.clear();
      operatorTokens.clear();
      for (const listener of listeners) listener(null);
    },
    onDrop: (listener) => {
      listeners.push(listener);
    },
  };
}
