import type { AttemptErrorCode } from '@postrider/domain';
import { createBrokerResolver, createConnectionCache, endOf, messageHeaders } from '../broker/sending.ts';
import { fillPaths } from '../broker/settings.ts';
import { tlsIdentityOf } from '../broker/tls.ts';
import type { JsonContent } from '../json-template.ts';
import {
  type Delivery,
  failure,
  type Sender,
  type SenderOptions,
  type SendFailure,
  type SendResult,
} from '../sender.ts';
import { type Cluster, openCluster, type Production } from './cluster.ts';
import { type KafkaConfig, parseBroker, readKafkaConfig } from './config.ts';
import type { Security } from './connection.ts';
import type { KafkaRecord } from './messages.ts';

/** The longest key. It can repeat values of the event, which can be as long as the event. */
const MAX_KEY_BYTES = 4_096;
/** Channels whose connections are kept, at most 8 each. */
const MAX_CLUSTERS = 100;

/**
 * The meaning of an error code. `message`: the record is refused for good. `account`: refused until the operator changes
 * something. `later`: certainly not stored now. `unknown`: it may be stored.
 */
type Meaning = 'message' | 'account' | 'later' | 'unknown';

/**
 * The names and meanings of the error codes that a producer gets. Any other code is `unknown`.
 * @see https://kafka.apache.org/protocol#protocol_error_codes
 */
const ERRORS: Readonly<Record<number, readonly [name: string, meaning: Meaning]>> = {
  2: ['CORRUPT_MESSAGE', 'later'],
  3: ['UNKNOWN_TOPIC_OR_PARTITION', 'later'],
  5: ['LEADER_NOT_AVAILABLE', 'later'],
  6: ['NOT_LEADER_OR_FOLLOWER', 'later'],
  // Stored by the leader, but not by the other replicas in time.
  7: ['REQUEST_TIMED_OUT', 'unknown'],
  10: ['MESSAGE_TOO_LARGE', 'message'],
  14: ['COORDINATOR_LOAD_IN_PROGRESS', 'later'],
  15: ['COORDINATOR_NOT_AVAILABLE', 'later'],
  16: ['NOT_COORDINATOR', 'later'],
  17: ['INVALID_TOPIC_EXCEPTION', 'later'],
  18: ['RECORD_LIST_TOO_LARGE', 'message'],
  19: ['NOT_ENOUGH_REPLICAS', 'later'],
  20: ['NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'unknown'],
  29: ['TOPIC_AUTHORIZATION_FAILED', 'account'],
  31: ['CLUSTER_AUTHORIZATION_FAILED', 'account'],
  32: ['INVALID_TIMESTAMP', 'later'],
  33: ['UNSUPPORTED_SASL_MECHANISM', 'account'],
  34: ['ILLEGAL_SASL_STATE', 'account'],
  35: ['UNSUPPORTED_VERSION', 'later'],
  43: ['UNSUPPORTED_FOR_MESSAGE_FORMAT', 'later'],
  44: ['POLICY_VIOLATION', 'later'],
  45: ['OUT_OF_ORDER_SEQUENCE_NUMBER', 'later'],
  47: ['INVALID_PRODUCER_EPOCH', 'later'],
  49: ['INVALID_PRODUCER_ID_MAPPING', 'later'],
  53: ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'account'],
  56: ['KAFKA_STORAGE_ERROR', 'unknown'],
  58: ['SASL_AUTHENTICATION_FAILED', 'account'],
  59: ['UNKNOWN_PRODUCER_ID', 'later'],
  87: ['INVALID_RECORD', 'later'],
  89: ['THROTTLING_QUOTA_EXCEEDED', 'later'],
  90: ['PRODUCER_FENCED', 'later'],
};

const CODES: Readonly<Record<Meaning, AttemptErrorCode>> = {
  message: 'kafka_rejected',
  account: 'kafka_auth_failed',
  later: 'kafka_rejected',
  unknown: 'kafka_outcome_unknown',
};

const REFUSED = {
  record: 'The broker refused the record',
  topic: 'The cluster has no such topic for this user, or no leader for it at present',
  producer: 'The cluster gives no producer id, so `idempotent` must be false',
} as const;

function refused({ code, of }: Extract<Production, { outcome: 'refused' }>): SendFailure {
  const [name, listed] = ERRORS[code] ?? [String(code), 'unknown' as const];
  // No error before the record was sent leaves its outcome unknown.
  const meaning = of !== 'record' && listed === 'unknown' ? 'later' : listed;
  return failure(CODES[meaning], `${REFUSED[of]} (${name}).`, {
    outcome: meaning === 'unknown' ? 'unknown' : 'failed',
    retryable: meaning !== 'message',
    response: code > 0 ? { statusCode: code, bodyExcerpt: null } : null,
  });
}

function unreachable({ error, isAdvertised }: Extract<Production, { outcome: 'unreachable' }>): SendFailure {
  const whose = isAdvertised ? "An address from the cluster's metadata" : "The broker's address";
  switch (error.reason) {
    case 'address':
      return failure('kafka_connection_failed', `${whose} is not allowed. ${error.message}`, {
        retryable: false,
      });
    case 'auth': {
      const name = error.code === null ? '' : ` (${ERRORS[error.code]?.[0] ?? error.code})`;
      return failure('kafka_auth_failed', `The login failed: ${error.message}${name}.`);
    }
    default:
      return failure(
        'kafka_connection_failed',
        `${isAdvertised ? "A broker from the cluster's metadata could not" : 'No broker could'} be used: ${error.message}.`,
      );
  }
}

function classify(production: Production): SendResult {
  switch (production.outcome) {
    case 'stored': {
      const { partition, offset } = production;
      const bodyExcerpt = `partition ${partition}, offset ${offset}`;
      return { outcome: 'delivered', response: { statusCode: 0, bodyExcerpt } };
    }
    case 'refused':
      return refused(production);
    case 'unreachable':
      return unreachable(production);
    case 'lost':
      return failure(
        'kafka_outcome_unknown',
        `The broker did not confirm the record: ${production.reason}.`,
        {
          outcome: 'unknown',
        },
      );
  }
}

/** The record of a delivery (docs/destinations.md), or null if its key is too long. An empty key counts as no key. */
function recordOf(delivery: Delivery<JsonContent>, config: KafkaConfig): KafkaRecord | null {
  const key = fillPaths(config.key, delivery);
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return null;
  return {
    key: key === '' ? null : Buffer.from(key, 'utf8'),
    value: Buffer.from(delivery.content.body, 'utf8'),
    headers: Object.entries({ 'content-type': 'application/json', ...messageHeaders(delivery) }),
    timestampMs: delivery.message.createdAt.getTime(),
  };
}

function securityOf(config: KafkaConfig, credentials: Delivery<unknown>['credentials']): Security | null {
  const { mechanism, username } = config;
  const { password } = credentials;
  const identity = tlsIdentityOf(config, credentials);
  if (!identity) return null;
  const tls = config.tls ? identity : null;
  if (!mechanism) return { tls, sasl: null };
  if (username === undefined || password === undefined) return null;
  return { tls, sasl: { mechanism, username, password } };
}

/**
 * Creates the Kafka sender: one record with `acks=all` within the time limit. Only a response of the partition's leader
 * counts as success. A refused record is `failed`; one that was sent without a response is `unknown`. Connects only to
 * addresses that the policy allows, even if the cluster advertises them, and without TLS only to this machine.
 */
export function createKafkaSender(options: SenderOptions): Sender<JsonContent> {
  const clusters = createConnectionCache<Cluster>(MAX_CLUSTERS);
  const resolverOf = createBrokerResolver(options);

  return {
    async send(delivery) {
      const config = readKafkaConfig(delivery.channel.config);
      const security = config && securityOf(config, delivery.credentials);
      if (!config || !security) {
        return failure(
          'kafka_auth_failed',
          'Nothing was sent: the config, the password or the private key is incomplete.',
        );
      }
      const record = recordOf(delivery, config);
      if (!record) {
        const message = `The key is longer than ${MAX_KEY_BYTES} bytes.`;
        return failure('kafka_rejected', message, { retryable: false });
      }
      const shown = { topic: config.topic, ...(record.key ? { key: String(record.key) } : {}) };
      delivery.reportExchange?.({ requestHeaders: [...Object.entries(shown), ...record.headers] });
      const bootstrap = config.brokers.map(parseBroker).filter((broker) => broker !== null);
      const cluster = clusters.get(delivery.channel, () =>
        openCluster(bootstrap, security, resolverOf(config)),
      );
      const end = endOf(delivery);
      try {
        const production = await cluster.produce(record, {
          topic: config.topic,
          spread: delivery.runId,
          isIdempotent: config.idempotent,
          timeoutMs: delivery.timeoutMs,
          nowMs: delivery.nowMs(),
          ended: end.promise,
          onBroker: (connectedAddress) => delivery.reportExchange?.({ connectedAddress }),
        });
        return classify(production);
      } finally {
        end.stop();
      }
    },
    close: () => clusters.close(),
  };
}
