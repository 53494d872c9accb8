import type { AttemptErrorCode, AttemptOutcome } from '@postrider/domain';
import {
  type Connect,
  createKafkaProducer,
  KafkaError,
  type KafkaErrorCode,
  type KafkaProducer,
  type KafkaRecord,
  type SaslCredentials,
} from '@postrider/kafka-producer';
import { createBrokerResolver, messageHeaders } from '../broker/sending.ts';
import { fillPaths } from '../broker/settings.ts';
import { type TlsIdentity, tlsIdentityOf } from '../certificates.ts';
import { ADDRESS_BLOCKED, AddressError, explainConnection } from '../connection-errors.ts';
import { connectSocket, createConnectionCache } from '../connections.ts';
import type { JsonContent } from '../json-template.ts';
import { type Delivery, delivered, failure, type Sender, type SenderOptions } from '../sender.ts';
import { KAFKA_SETTINGS, type KafkaConfig, parseBroker } from './config.ts';

/** The longest key. It can repeat values of the event, which can be as long as the event. */
const MAX_KEY_BYTES = 4_096;
/** Channels whose producers are kept, with at most 8 connections each. */
const MAX_PRODUCERS = 100;

const CODES: Readonly<Record<KafkaErrorCode, AttemptErrorCode>> = {
  ADDRESS_REFUSED: 'kafka_connection_failed',
  CONNECTION_FAILED: 'kafka_connection_failed',
  LOGIN_FAILED: 'kafka_auth_failed',
  NOT_AUTHORIZED: 'kafka_auth_failed',
  REJECTED: 'kafka_rejected',
  UNCONFIRMED: 'kafka_outcome_unknown',
};

function failureOf({ code, message, brokerError, isFinal }: KafkaError): AttemptOutcome {
  const isResponse = code !== 'LOGIN_FAILED' && brokerError !== null && brokerError > 0;
  return failure(CODES[code], message, {
    status: code === 'UNCONFIRMED' ? 'unknown' : 'failed',
    retryable: code !== 'ADDRESS_REFUSED' && !isFinal,
    response: isResponse ? { statusCode: brokerError, bodyExcerpt: null } : null,
  });
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

type Access = Parameters<typeof connectSocket>[1];

/** Connects to allowed addresses only, and explains a failure in the words of this service. */
const connectWith =
  (access: Access): Connect =>
  (address, signal) =>
    connectSocket(address, access, signal).catch((error: NodeJS.ErrnoException) => {
      const why = explainConnection(error);
      if (why === null) throw error;
      const isRefused = error instanceof AddressError && error.code === ADDRESS_BLOCKED;
      throw isRefused
        ? new KafkaError('ADDRESS_REFUSED', why)
        : new KafkaError('CONNECTION_FAILED', `${error.code ?? 'the connection broke'}. ${why}`);
    });

interface Login {
  readonly tls: TlsIdentity | null;
  readonly sasl: SaslCredentials | null;
}

/** How a channel identifies itself to its brokers; null if the username, the password or the private key is missing. */
function loginOf(config: KafkaConfig, credentials: Delivery<unknown>['credentials']): Login | null {
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
  const producers = createConnectionCache<KafkaProducer>(MAX_PRODUCERS);
  const resolverOf = createBrokerResolver(options);

  function openProducer(config: KafkaConfig, { tls, sasl }: Login): KafkaProducer {
    const { topic, idempotent } = config;
    const brokers = config.brokers.map(parseBroker).filter((broker) => broker !== null);
    const connect = connectWith({ tls, resolve: resolverOf(config) });
    return createKafkaProducer({ brokers, topic, idempotent, sasl, connect, clientId: 'postrider' });
  }

  return {
    async send(delivery) {
      const config = KAFKA_SETTINGS.read(delivery.channel.config);
      const login = config && loginOf(config, delivery.credentials);
      if (!config || !login) {
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
      const producer = producers.get(delivery.channel, () => openProducer(config, login));
      try {
        const { partition, offset } = await producer.send(record, {
          timeoutMs: delivery.timeoutMs,
          signal: delivery.signal,
          spreadBy: delivery.ids.run,
          onBroker: (connectedAddress) => delivery.reportExchange?.({ connectedAddress }),
        });
        return delivered({ statusCode: 0, bodyExcerpt: `partition ${partition}, offset ${offset}` });
      } catch (error) {
        if (error instanceof KafkaError) return failureOf(error);
        throw error;
      }
    },
    close: () => producers.close(),
  };
}
