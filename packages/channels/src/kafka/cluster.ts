import { LRUCache } from '@postrider/domain';
import type { BrokerAddress } from '../broker/socket.ts';
import { MAX_HOST_LENGTH } from '../host.ts';
import type { ResolveHost } from '../vetted-address.ts';
import { type Broker, BrokerError, connectBroker, type Security } from './connection.ts';
import {
  type Call,
  initProducerId,
  type KafkaRecord,
  type Metadata,
  metadata,
  produce,
  type RecordId,
} from './messages.ts';
import { murmur2 } from './wire.ts';

/** The most brokers to which a channel is connected. The least recently used connection is closed first. */
const MAX_BROKERS = 8;
/** The metadata of a topic is read again after this time, because partitions may be added. */
const METADATA_AGE_MS = 300_000;
/** Limits of a cluster's metadata per channel. */
const MAX_KNOWN_BROKERS = 1_000;
const MAX_PARTITIONS = 10_000;
/** The most partitions for which a producer id counts records. Beyond that, another id replaces it. */
const MAX_SEQUENCES = 1_000;
/** Sends per attempt. The second follows a lost connection or outdated metadata. */
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

/** The outcome of a record. */
export type Production =
  | { readonly outcome: 'stored'; readonly partition: number; readonly offset: bigint }
  /** The broker responded with an error. `record`: it refused the record itself; otherwise an earlier request. */
  | { readonly outcome: 'refused'; readonly code: number; readonly of: 'record' | 'topic' | 'producer' }
  /** The record was not sent. `isAdvertised`: the cluster advertised the address. */
  | { readonly outcome: 'unreachable'; readonly error: BrokerError; readonly isAdvertised: boolean }
  /** The record was sent, and there was no response. */
  | { readonly outcome: 'lost'; readonly reason: string };

interface ProduceOptions {
  readonly topic: string;
  /** Determines the partition of a record without a key; the same on every attempt. */
  readonly spread: string;
  readonly isIdempotent: boolean;
  readonly timeoutMs: number;
  readonly nowMs: number;
  /** Resolves when the time of the attempt is up. */
  readonly ended: Promise<'ended'>;
  /** Called with the `address:port` of the broker that gets the record. */
  readonly onBroker: (address: string) => void;
}

export interface Cluster {
  /** Whether new deliveries may use it. */
  isUsable(): boolean;
  /** Resolves at the latest when the attempt's time is up. */
  produce(record: KafkaRecord, options: ProduceOptions): Promise<Production>;
  /** Closes its connections as soon as no request is open. */
  retire(): void;
}

/** A producer id. Only one delivery uses it at a time, so that its sequences have no gaps. */
interface Lane {
  readonly id: Pick<RecordId, 'producerId' | 'epoch'>;
  /** The next sequence of each partition. */
  readonly sequences: Map<number, number>;
}

/** A request before the record was refused. */
class Refused extends Error {
  readonly code: number;
  readonly of: 'topic' | 'producer';

  constructor(code: number, of: Refused['of']) {
    super(`error ${code}`);
    this.code = code;
    this.of = of;
  }
}

interface Topic {
  readonly brokers: ReadonlyMap<number, BrokerAddress>;
  /** The leaders of the partitions, by their indexes. */
  readonly leaders: readonly number[];
  readonly readAt: number;
}

function topicOf({ brokers, topics }: Metadata, name: string, readAt: number): Topic {
  const topic = topics.find((each) => each.name === name);
  if (!topic) throw new BrokerError('protocol', 'the broker did not report the topic');
  if (topic.error !== 0) throw new Refused(topic.error, 'topic');
  if (brokers.length > MAX_KNOWN_BROKERS || topic.partitions.length > MAX_PARTITIONS) {
    throw new BrokerError('protocol', 'the topic has more brokers or partitions than are supported');
  }
  if (brokers.some(({ host }) => host === '' || host.length > MAX_HOST_LENGTH)) {
    throw new BrokerError('protocol', "invalid host name in the cluster's metadata");
  }
  const leaders: number[] = [];
  for (const { index, leader } of topic.partitions) {
    if (index >= 0 && index < topic.partitions.length) leaders[index] = leader;
  }
  return { brokers: new Map(brokers.map(({ id, host, port }) => [id, { host, port }])), leaders, readAt };
}

/** The partition of a record: by its key like Kafka's own client, or spread evenly. */
const partitionOf = ({ key }: KafkaRecord, spread: string, count: number): number =>
  (murmur2(key ?? Buffer.from(spread)) & 0x7fffffff) % count;

/** Opens the connections to the brokers of one channel and its pool of producer ids. */
export function openCluster(
  bootstrap: readonly BrokerAddress[],
  security: Security,
  resolve: ResolveHost,
): Cluster {
  let isRetired = false;
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
    const opening = brokers.get(name) ?? connectBroker(address, security, resolve);
    brokers.set(name, opening);
    return opening;
  }

  /** Connects to any reachable broker of the config. */
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

  async function readTopic({ topic: name, nowMs, ended }: ProduceOptions): Promise<Topic> {
    const broker = await anyBroker();
    return topicOf(await ask(broker, metadata(name, broker.versionOf('Metadata')), ended), name, nowMs);
  }

  /** Reads the metadata of the topic. Concurrent deliveries share one request. */
  async function currentTopic(options: ProduceOptions, before: Topic | null): Promise<Topic> {
    const known = await topic?.catch(() => null);
    const isFresh = known && known !== before && options.nowMs - known.readAt < METADATA_AGE_MS;
    if (isFresh) return known;
    const reading = readTopic(options);
    topic = reading;
    return reading;
  }

  async function openLane({ isIdempotent, ended }: ProduceOptions): Promise<Lane> {
    if (!isIdempotent) return { id: { producerId: BigInt(NONE), epoch: NONE }, sequences: new Map() };
    const kept = lanes.pop();
    if (kept) return kept;
    for (;;) {
      const broker = await raced(anyBroker(), ended);
      broker.versionOf('InitProducerId');
      const { error, producerId, epoch } = await ask(broker, initProducerId, ended);
      if (error === 0) return { id: { producerId, epoch }, sequences: new Map() };
      const isOver = !COORDINATOR_COMES.has(error) || (await waitFor(COORDINATOR_WAIT_MS, ended));
      if (isOver) throw new Refused(error, 'producer');
    }
  }

  async function leaderOf({ leaders, brokers: known }: Topic, partition: number): Promise<Broker> {
    const address = known.get(leaders[partition] ?? -1);
    if (!address) throw new Refused(LEADER_NOT_AVAILABLE, 'topic');
    const isPort = Number.isInteger(address.port) && address.port > 0 && address.port < 65_536;
    if (!isPort) throw new BrokerError('protocol', "invalid port in the cluster's metadata");
    return brokerAt(address);
  }

  /**
   * Sends a record until there is a response. The second send has the same sequence, by which the broker detects the
   * duplicate.
   */
  async function sendRecord(record: KafkaRecord, lane: Lane, options: ProduceOptions): Promise<Production> {
    const { isIdempotent, ended, timeoutMs } = options;
    let lost: string | null = null;
    let partition: number | null = null;
    let known: Topic | null = null;
    for (let sends = 1; ; sends += 1) {
      const mayRepeat = sends < MAX_SENDS;
      let stage: 'topic' | 'leader' | 'sent' = 'topic';
      try {
        known = await raced(currentTopic(options, known), ended);
        if (known.leaders.length === 0) throw new Refused(UNKNOWN_TOPIC, 'topic');
        partition ??= partitionOf(record, options.spread, known.leaders.length);
        stage = 'leader';
        const leader = await raced(leaderOf(known, partition), ended);
        leader.versionOf('Produce');
        options.onBroker(leader.address);
        const sequence = isIdempotent ? (lane.sequences.get(partition) ?? 0) : NONE;
        const id = { ...lane.id, sequence };
        stage = 'sent';
        const call = produce({ topic: options.topic, partition }, record, { id, timeoutMs });
        const { error, offset } = await ask(leader, call, ended);
        if (error === 0 || (error === DUPLICATE_SEQUENCE && lost !== null)) {
          lane.sequences.set(partition, sequence + 1);
          return { outcome: 'stored', partition, offset };
        }
        if (lost !== null) return { outcome: 'lost', reason: `${lost}, and then it was refused (${error})` };
        if (!mayRepeat || !STALE_METADATA.has(error))
          return { outcome: 'refused', code: error, of: 'record' };
      } catch (error) {
        if (stage === 'sent' && error instanceof BrokerError && error.reason === 'sent') lost = error.message;
        const isFinal = error instanceof Refused || isTimeUp(error) || (lost !== null && !isIdempotent);
        if (mayRepeat && !isFinal) continue;
        if (lost !== null) return { outcome: 'lost', reason: lost };
        return unreachable(error, stage === 'leader');
      }
    }
  }

  return {
    isUsable: () => !isRetired,
    async produce(record, options) {
      let lane: Lane;
      try {
        lane = await openLane(options);
      } catch (error) {
        return unreachable(error, false);
      }
      const production = await sendRecord(record, lane, options);
      if (options.isIdempotent && !isRetired && isReusable(production, lane)) lanes.push(lane);
      return production;
    },
    retire() {
      isRetired = true;
      brokers.clear();
    },
  };
}

/**
 * Whether the producer id can be used again. Not after a record that may be stored: the broker could mistake the next
 * record for its duplicate and drop it.
 */
const isReusable = (production: Production, { sequences }: Lane): boolean =>
  production.outcome !== 'lost' &&
  !(production.outcome === 'refused' && production.of === 'record') &&
  sequences.size < MAX_SEQUENCES &&
  [...sequences.values()].every((sequence) => sequence < MAX_SEQUENCE);

/** Replaces a protocol error code if there was no response within the attempt's time. */
const TIME_IS_UP = Number.MIN_SAFE_INTEGER;
const timeIsUp = (reason: BrokerError['reason']) =>
  new BrokerError(reason, 'no response in time', TIME_IS_UP);
const isTimeUp = (error: unknown) => error instanceof BrokerError && error.code === TIME_IS_UP;

async function raced<Value>(work: Promise<Value>, ended: Promise<'ended'>): Promise<Value> {
  work.catch(() => undefined);
  const first = await Promise.race([work, ended]);
  if (first === 'ended') throw timeIsUp('connection');
  return first as Value;
}

/** Waits for the time in milliseconds. Returns true at once if the time of the attempt is up before. */
async function waitFor(ms: number, ended: Promise<'ended'>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const first = await Promise.race([waited, ended]);
  clearTimeout(timer);
  return first === 'ended';
}

/** Sends a request. A broker that does not respond in time gets no further requests. */
async function ask<Response>(
  broker: Broker,
  call: Call<Response>,
  ended: Promise<'ended'>,
): Promise<Response> {
  const answer = broker.send(call);
  answer.catch(() => undefined);
  const first = await Promise.race([answer, ended]);
  if (first !== 'ended') return first as Response;
  broker.retire();
  throw timeIsUp('sent');
}

/** The record was not sent, so earlier requests do not matter. */
function unreachable(error: unknown, isAdvertised: boolean): Production {
  if (error instanceof Refused) return { outcome: 'refused', code: error.code, of: error.of };
  if (error instanceof BrokerError) return { outcome: 'unreachable', error, isAdvertised };
  throw error;
}
