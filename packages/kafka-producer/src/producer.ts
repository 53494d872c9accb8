import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  type Broker,
  type BrokerAddress,
  BrokerError,
  type Connect,
  connectBroker,
  connectTcp,
  type SaslCredentials,
} from './connection.ts';
import { brokerErrorName, KafkaError, refusal } from './errors.ts';
import { type Call, initProducerId, type KafkaRecord, metadata, produce, type RecordId } from './messages.ts';
import { partitionOf, readTopic, type Topic } from './topic.ts';

/** The most brokers to which a producer is connected. The least recently used connection is closed first. */
const MAX_BROKERS = 8;
/** The metadata of a topic is read again after this time, because partitions may be added. */
const METADATA_AGE_MS = 300_000;
/** The most partitions for which a producer id counts records. Beyond that, another id replaces it. */
const MAX_SEQUENCES = 1_000;
/** Requests with a record per call of `send`. The second follows a lost connection or outdated metadata. */
const MAX_SENDS = 2;
/** The broker is not the partition's leader, or there is none: nothing was stored, and new metadata may help. */
const STALE_METADATA: ReadonlySet<number> = new Set([3, 5, 6]);
/** The coordinator that gives producer ids is loading, is not elected yet, or has moved, as after the start of a broker. */
const COORDINATOR_COMES: ReadonlySet<number> = new Set([14, 15, 16]);
const COORDINATOR_WAIT_MS = 100;
const UNKNOWN_TOPIC = 3;
const LEADER_NOT_AVAILABLE = 5;
const DUPLICATE_SEQUENCE = 46;
const MAX_SEQUENCE = 0x7fffffff;
/** Means no producer id, epoch or sequence. */
const NONE = -1;
const NO_ID = { producerId: BigInt(NONE), epoch: NONE };

export interface ProducerOptions {
  /** Brokers of the cluster. They are tried in order; the first that responds reports the others. */
  readonly brokers: readonly BrokerAddress[];
  /** A topic that exists; it is not created. */
  readonly topic: string;
  /** Null or left out for a cluster without logins. */
  readonly sasl?: SaslCredentials | null;
  /** Opens every connection. By default without TLS, to any address. */
  readonly connect?: Connect;
  /**
   * Whether records have a sequence, so that a record that is sent twice within one `send` is stored once. True by default.
   * False for clusters that do not allow the user a producer id.
   */
  readonly idempotent?: boolean;
  /** The name of this program in the logs of the brokers. */
  readonly clientId?: string;
  /** Replaces the clock, in milliseconds. */
  readonly now?: () => number;
}

export interface SendOptions {
  /** Time limit of the call in milliseconds; 15,000 by default. The broker waits as long for its replicas. */
  readonly timeoutMs?: number;
  /** Ends the call at once, as its time limit does. */
  readonly signal?: AbortSignal;
  /** The partition of a record without a key is chosen by this text; left out: at random. */
  readonly spreadBy?: string;
  /** Called with the `address:port` of the broker before the record is sent to it. */
  readonly onBroker?: (address: string) => void;
}

export interface StoredRecord {
  readonly partition: number;
  /** -1 if the broker only said that it has the record already. */
  readonly offset: bigint;
}

export interface KafkaProducer {
  /**
   * Sends one record and resolves when all in-sync replicas have it. Concurrent calls share connections, in no order.
   * Rejects with a {@link KafkaError}: with `UNCONFIRMED` the record may be stored, with any other code it is not.
   */
  send(record: KafkaRecord, options?: SendOptions): Promise<StoredRecord>;
  /** Closes each connection as soon as no request is open on it. Calls after that open connections again. */
  close(): void;
}

/** A producer id. Only one call uses it at a time, so that its sequences have no gaps. */
interface Lane {
  readonly id: Pick<RecordId, 'producerId' | 'epoch'>;
  /** The next sequence of each partition. */
  readonly sequences: Map<number, number>;
  /** Whether a record was sent without being confirmed. The broker could mistake the next one for its duplicate and drop it. */
  isSpent: boolean;
}

/** The end of one call: its time limit, or its signal. */
type Ended = Promise<'ended'>;
type OpenSend = SendOptions & { readonly timeoutMs: number; readonly ended: Ended };

/** Creates a producer for one topic. It connects at the first record and needs no call to start. */
export function createKafkaProducer({
  brokers: bootstrap,
  topic: topicName,
  sasl = null,
  connect = connectTcp,
  idempotent = true,
  clientId = 'kafka-producer',
  now = () => performance.now(),
}: ProducerOptions): KafkaProducer {
  let isClosed = false;
  let topic: Promise<Topic> | null = null;
  const lanes: Lane[] = [];
  const brokers = new LRUCache<string, Promise<Broker>>({
    max: MAX_BROKERS,
    dispose: (opening) => {
      opening.then(
        (broker) => broker.retire(),
        () => undefined,
      );
    },
  });

  async function brokerAt(address: BrokerAddress): Promise<Broker> {
    const name = `${address.host}:${address.port}`;
    const known = brokers.get(name);
    if (known) {
      const broker = await known.catch(() => null);
      if (broker?.isUsable()) return broker;
      if (brokers.get(name) === known) brokers.delete(name);
    }
    const opening = brokers.get(name) ?? connectBroker(address, { connect, sasl, clientId });
    brokers.set(name, opening);
    return opening;
  }

  /** Connects to any reachable broker of the options. */
  async function anyBroker(): Promise<Broker> {
    let failure = new BrokerError('connection', 'no broker is known');
    for (const address of bootstrap) {
      try {
        return await brokerAt(address);
      } catch (error) {
        failure = error as BrokerError;
      }
    }
    throw failure;
  }

  async function askForTopic(ended: Ended): Promise<Topic> {
    const broker = await anyBroker();
    const call = metadata(topicName, broker.versionOf('Metadata'));
    return readTopic(await ask(broker, call, ended), topicName, now());
  }

  /** Reads the metadata of the topic. Concurrent calls share one request. */
  async function currentTopic(ended: Ended, before: Topic | null): Promise<Topic> {
    const known = await topic?.catch(() => null);
    const isFresh = known && known !== before && now() - known.readAt < METADATA_AGE_MS;
    if (isFresh) return known;
    const reading = askForTopic(ended);
    topic = reading;
    return reading;
  }

  async function openLane({ promise: ended, signal }: End): Promise<Lane> {
    const lane = (id: Lane['id']) => ({ id, sequences: new Map(), isSpent: false });
    if (!idempotent) return lane(NO_ID);
    const kept = lanes.pop();
    if (kept) return kept;
    for (;;) {
      const broker = await raced(anyBroker(), ended);
      broker.versionOf('InitProducerId');
      const { error, ...id } = await ask(broker, initProducerId, ended);
      if (error === 0) return lane(id);
      const refused = refusal(error, 'producer');
      if (!COORDINATOR_COMES.has(error)) throw refused;
      await wait(COORDINATOR_WAIT_MS, undefined, { signal }).catch(() => {
        throw refused;
      });
    }
  }

  async function leaderOf({ leaders, brokers: known }: Topic, partition: number): Promise<Broker> {
    const address = known.get(leaders[partition] ?? -1);
    if (!address) throw refusal(LEADER_NOT_AVAILABLE, 'topic');
    const isPort = Number.isInteger(address.port) && address.port > 0 && address.port < 65_536;
    if (!isPort) throw new BrokerError('protocol', "invalid port in the cluster's metadata");
    return brokerAt(address);
  }

  /**
   * Sends a record until there is a response. The second request has the same sequence, by which the broker detects the
   * duplicate.
   */
  async function sendRecord(record: KafkaRecord, lane: Lane, call: OpenSend): Promise<StoredRecord> {
    const { ended, timeoutMs } = call;
    let lost: string | null = null;
    let partition: number | null = null;
    let known: Topic | null = null;
    for (let sends = 1; ; sends += 1) {
      const mayRepeat = sends < MAX_SENDS;
      let stage: 'topic' | 'leader' | 'sent' = 'topic';
      try {
        known = await raced(currentTopic(ended, known), ended);
        if (known.leaders.length === 0) throw refusal(UNKNOWN_TOPIC, 'topic');
        partition ??= partitionOf(record.key, call.spreadBy, known.leaders.length);
        stage = 'leader';
        const leader = await raced(leaderOf(known, partition), ended);
        leader.versionOf('Produce');
        call.onBroker?.(leader.address);
        const sequence = idempotent ? (lane.sequences.get(partition) ?? 0) : NONE;
        const id = { ...lane.id, sequence };
        stage = 'sent';
        lane.isSpent = true;
        const request = produce({ topic: topicName, partition }, record, { id, timeoutMs });
        const { error, offset } = await ask(leader, request, ended);
        if (error === 0 || (error === DUPLICATE_SEQUENCE && lost !== null)) {
          lane.isSpent = false;
          lane.sequences.set(partition, sequence + 1);
          return { partition, offset };
        }
        if (lost !== null) lost = `${lost}, and then it was refused (${error})`;
        const isStale = lost === null && STALE_METADATA.has(error);
        if (!isStale || !mayRepeat) throw refusal(error, 'record');
      } catch (error) {
        if (stage === 'sent' && error instanceof BrokerError && error.reason === 'sent') lost = error.message;
        const isFinal = error instanceof KafkaError || isTimeUp(error) || (lost !== null && !idempotent);
        if (mayRepeat && !isFinal) continue;
        if (lost !== null) throw unconfirmed(lost);
        throw notSent(error, stage === 'leader');
      }
    }
  }

  return {
    async send(record, { timeoutMs = 15_000, signal, ...options } = {}) {
      const end = endOf(timeoutMs, signal);
      try {
        const lane = await openLane(end).catch((error) => {
          throw notSent(error, false);
        });
        try {
          return await sendRecord(record, lane, { ...options, timeoutMs, ended: end.promise });
        } finally {
          if (idempotent && !isClosed && isReusable(lane)) lanes.push(lane);
        }
      } finally {
        end.stop();
      }
    },
    close() {
      isClosed = true;
      brokers.clear();
    },
  };
}

const isReusable = ({ isSpent, sequences }: Lane): boolean =>
  !isSpent &&
  sequences.size < MAX_SEQUENCES &&
  [...sequences.values()].every((sequence) => sequence < MAX_SEQUENCE);

/** The end of a call: its promise resolves and its signal aborts at the time limit, or when the caller's signal aborts. */
interface End {
  readonly promise: Ended;
  readonly signal: AbortSignal;
  stop(): void;
}

function endOf(timeoutMs: number, signal?: AbortSignal): End {
  const limit = new AbortController();
  const promise: Ended = new Promise((resolve) => {
    limit.signal.addEventListener('abort', () => resolve('ended'));
  });
  const end = () => limit.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  return {
    promise,
    signal: limit.signal,
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    },
  };
}

/** Replaces a protocol error code if there was no response within the time of the call. */
const TIME_IS_UP = Number.MIN_SAFE_INTEGER;
const timeIsUp = (reason: BrokerError['reason']) =>
  new BrokerError(reason, 'no response in time', TIME_IS_UP);
const isTimeUp = (error: unknown) => error instanceof BrokerError && error.code === TIME_IS_UP;

async function raced<Value>(
  work: Promise<Value>,
  ended: Ended,
  late = () => timeIsUp('connection'),
): Promise<Value> {
  work.catch(() => undefined);
  const first = await Promise.race([work, ended]);
  if (first === 'ended') throw late();
  return first as Value;
}

/** Sends a request. A broker that does not respond in time gets no further requests. */
const ask = <Response>(broker: Broker, call: Call<Response>, ended: Ended): Promise<Response> =>
  raced(broker.send(call), ended, () => {
    broker.retire();
    return timeIsUp('sent');
  });

const unconfirmed = (reason: string) =>
  new KafkaError('UNCONFIRMED', `The broker did not confirm the record: ${reason}.`);

/** The error of a call that has not sent the record, so that it does not matter whether earlier requests were answered. */
function notSent(error: unknown, isAdvertised: boolean): unknown {
  if (!(error instanceof BrokerError)) return error;
  const { reason, message, code } = error;
  if (reason === 'address') {
    const whose = isAdvertised ? "An address from the cluster's metadata" : "The broker's address";
    return new KafkaError('ADDRESS_REFUSED', `${whose} is not allowed. ${message}`);
  }
  if (reason === 'auth') {
    const name = code === null ? '' : ` (${brokerErrorName(code)})`;
    return new KafkaError('LOGIN_FAILED', `The login failed: ${message}${name}.`, { brokerError: code });
  }
  const which = isAdvertised ? "A broker from the cluster's metadata could not" : 'No broker could';
  return new KafkaError('CONNECTION_FAILED', `${which} be used: ${message}.`);
}
