import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listenOnLoopback } from '../loopback.ts';
import { amqpBroker } from './amqp.ts';
import { KAFKA_TOPIC, kafkaBroker } from './kafka.ts';
import type { BrokerAnswer, BrokerProtocol } from './protocol.ts';
import { sqsBroker } from './sqs.ts';

/** A step of each protocol: the broker answers the first bytes of a TLS client without TLS. */
export const TLS_STEP = 'TLS';

/** Answers a TLS client with a handshake record (`ServerHelloDone`) that no handshake begins with. */
const PRETENDED_TLS: BrokerProtocol = {
  steps: [TLS_STEP],
  converse: () => () => [{ step: TLS_STEP, bytes: PRETENDED_TLS.foretell(TLS_STEP, 0) }],
  foretell: () => Buffer.from('16030300040e000000', 'hex'),
  // A warning, which the protocol lets a peer ignore.
  stray: Buffer.from('15030300020100', 'hex'),
  huge: Buffer.from('160303ffff', 'hex'),
};

const PROTOCOLS = { amqp: amqpBroker, kafka: kafkaBroker, sqs: sqsBroker } as const;
export type BrokerKind = keyof typeof PROTOCOLS;

/** When and how often the answer of a step is sent. `late` is after {@link LATE_MS}. */
export const MISBEHAVIOURS = [
  'early',
  'late',
  'twice',
  'huge',
  'endless',
  'cut',
  'reset',
  'never',
  'with a stray message',
] as const;
export type Misbehaviour = (typeof MISBEHAVIOURS)[number];

/** How late a late answer is. An attempt must have a shorter time limit. */
export const LATE_MS = 1_500;

/** One way in which a broker misbehaves at one step of its protocol. */
export interface BrokerCase {
  readonly kind: BrokerKind;
  readonly step: string;
  readonly how: Misbehaviour;
}

/** Every misbehaviour at every step of a protocol, and in the TLS handshake before it. */
export function brokerCases(kind: BrokerKind, hows: readonly Misbehaviour[] = MISBEHAVIOURS): BrokerCase[] {
  const steps = [TLS_STEP, ...PROTOCOLS[kind].steps];
  return steps.flatMap((step) => hows.map((how) => ({ kind, step, how })));
}

interface ChannelSettings {
  readonly config: Record<string, string | number | boolean | string[]>;
  readonly credentials: Record<string, string>;
}

/** The stored config and the credentials of a channel that publishes to a broker on this port of 127.0.0.1. */
export function brokerChannel(
  { kind, step }: Pick<BrokerCase, 'kind' | 'step'>,
  port: number,
): ChannelSettings {
  const host = '127.0.0.1';
  const tls = step === TLS_STEP;
  const password = 'secret-4711';
  const username = 'postrider';
  switch (kind) {
    case 'amqp': {
      const place = { vhost: '/', exchange: '', routing_key: KAFKA_TOPIC, persistent: true };
      return { config: { host, port, tls, username, ...place }, credentials: { password } };
    }
    case 'kafka': {
      const topic = { topic: KAFKA_TOPIC, key: '', idempotent: true };
      const login = { mechanism: 'PLAIN', username };
      return { config: { brokers: [`${host}:${port}`], tls, ...login, ...topic }, credentials: { password } };
    }
    case 'sqs': {
      const queue_url = `${tls ? 'https' : 'http'}://${host}:${port}/123456789012/orders`;
      const config = { queue_url, region: 'eu-central-1', access_key_id: 'AKIAIOSFODNN7EXAMPLE' };
      return { config, credentials: { secret_access_key: password } };
    }
  }
}

/** Writes the same bytes as fast as the other side reads, until the connection is closed. */
function writeForever(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

const MANY = 1_000;
const repeated = (bytes: Buffer) => Buffer.concat(Array.from({ length: MANY }, () => bytes));

/** Serves one connection. Answers are sent in order, so after a late one the next is as late. */
function serve(
  socket: Socket,
  protocol: BrokerProtocol,
  { step, how, port, reach }: BrokerCase & { port: number; reach: (step: string) => void },
): void {
  const before = protocol.steps[protocol.steps.indexOf(step) - 1];
  const converse = protocol.converse(port);
  let sending: Promise<unknown> = Promise.resolve();
  let isOver = false;

  function misbehave(bytes: Buffer): void | Promise<void> {
    switch (how) {
      case 'early':
      case 'never':
        return;
      case 'late':
        return wait(LATE_MS, undefined, { ref: false }).then(() => void socket.write(bytes));
      case 'twice':
        return void socket.write(Buffer.concat([bytes, bytes]));
      case 'with a stray message':
        return void socket.write(Buffer.concat([bytes, protocol.stray]));
      case 'huge':
        isOver = true;
        socket.write(protocol.huge);
        return writeForever(socket, Buffer.alloc(65_536));
      case 'endless':
        isOver = true;
        return writeForever(socket, repeated(bytes));
      case 'cut':
        isOver = true;
        return void socket.end(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      case 'reset':
        isOver = true;
        return void socket.resetAndDestroy();
    }
  }
  function send(answer: BrokerAnswer): void | Promise<void> {
    if (isOver || !socket.writable) return;
    if (answer.step === step) return misbehave(answer.bytes);
    const isEarly = how === 'early' && answer.step === before;
    socket.write(isEarly ? Buffer.concat([answer.bytes, protocol.foretell(step, port)]) : answer.bytes);
  }

  if (how === 'early' && before === undefined) socket.write(protocol.foretell(step, port));
  socket.on('data', (chunk) => {
    for (const answer of converse(chunk)) {
      reach(answer.step);
      sending = sending.then(() => send(answer));
    }
  });
}

export interface MisbehavingBroker {
  readonly port: number;
  /** The number of connections so far. */
  connections(): number;
  openConnections(): number;
  /** How often a client has asked for the answer of a step. */
  reached(step: string): number;
  /** Sends bytes on every open connection. */
  say(bytes: Buffer): void;
  /** Replaces the case for new connections; null is a broker that follows its protocol. */
  setCase(next: Pick<BrokerCase, 'step' | 'how'> | null): void;
  close(): Promise<void>;
}

const SOUND = { step: '', how: 'late' } as const;

/** Starts a broker on 127.0.0.1 that takes every login and message, except that it misbehaves at one step. */
export async function startMisbehavingBroker(given: BrokerCase): Promise<MisbehavingBroker> {
  const { kind } = given;
  const sockets = new Set<Socket>();
  let current: BrokerCase = given;
  const reached: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    const protocol = current.step === TLS_STEP ? PRETENDED_TLS : PROTOCOLS[kind];
    serve(socket, protocol, { ...current, port: listening.port, reach: (step) => reached.push(step) });
  });
  const listening = await listenOnLoopback(server);
  return {
    port: listening.port,
    connections: () => connections,
    openConnections: () => sockets.size,
    reached: (step) => reached.filter((each) => each === step).length,
    say(bytes) {
      for (const socket of sockets) socket.write(bytes);
    },
    setCase(next) {
      current = { kind, ...(next ?? SOUND) };
    },
    async close() {
      const closed = listening.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
