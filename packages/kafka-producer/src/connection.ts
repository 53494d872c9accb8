import { once } from 'node:events';
import { connect as openTcp, type Socket } from 'node:net';
import { KafkaError } from './errors.ts';
import {
  APIS,
  apiVersions,
  type Call,
  frame,
  SHORT_RESPONSE,
  saslAuthenticate,
  saslHandshake,
} from './messages.ts';
import { authenticate, SaslError, type SaslMechanism } from './sasl.ts';
import { ProtocolError, Reader } from './wire.ts';

/** Time limit for connecting to a broker, so that a second broker can be tried within 15 s. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Idle connections are closed after this time, before brokers close them. */
const IDLE_CONNECTION_MS = 30_000;
/** Time limit for open requests when a connection is closed. */
const CLOSE_TIMEOUT_MS = 5_000;
/** A response begins with its length and the number of its request. */
const LENGTH_BYTES = 4;
const CORRELATION_BYTES = 4;

/** Why a broker cannot be used. `sent`: the request was sent and its outcome is unknown. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
  readonly reason: 'connection' | 'address' | 'auth' | 'protocol' | 'sent';
  /** The error code of Kafka's protocol; null when there was none. */
  readonly code: number | null;

  constructor(reason: BrokerError['reason'], message: string, code: number | null = null) {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}

const CLOSED = new BrokerError('connection', 'the broker closed the connection');

export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

export interface SaslCredentials {
  readonly mechanism: SaslMechanism;
  readonly username: string;
  readonly password: string;
}

/**
 * Opens a connection to a broker and resolves with the connected socket, for TLS after its handshake. It is called for
 * every connection, also to the brokers that the cluster's metadata names. So this is where a caller checks addresses:
 * to refuse one, reject with a {@link KafkaError} with the code `ADDRESS_REFUSED`. The message of any KafkaError is
 * shown; of other errors only the code is.
 * @param signal aborts when the connection takes too long
 */
export type Connect = (address: BrokerAddress, signal: AbortSignal) => Promise<Socket>;

/** Connects without TLS, to any address. */
export const connectTcp: Connect = async ({ host, port }, signal) => {
  const socket = openTcp({ host, port, signal });
  await once(socket, 'connect');
  return socket;
};

/** How the brokers of a producer are connected to. */
interface Access {
  readonly connect: Connect;
  readonly sasl: SaslCredentials | null;
  readonly clientId: string;
}

export interface Broker {
  /** `address:port`. */
  readonly address: string;
  /** Whether new requests may be sent. */
  isUsable(): boolean;
  /** The highest version of a request that both sides support. */
  versionOf(api: keyof typeof APIS): number;
  /** Resolves with the response. Rejects with a {@link BrokerError}. */
  send<Response>(call: Call<Response>): Promise<Response>;
  /** Closes it as soon as no request is open. */
  retire(): void;
}

interface Pending {
  readonly correlationId: number;
  readonly maxBytes: number;
  settle(body: Buffer | null): void;
}

/**
 * Splits the received bytes into responses, which arrive in the order of the requests. Buffers at most one, and none
 * larger than its request allows.
 */
function createFraming(pending: readonly Pending[], onResponse: (body: Buffer) => void) {
  let target = Buffer.allocUnsafe(LENGTH_BYTES);
  let filled = 0;
  let isLength = true;
  const expect = (size: number) => {
    target = Buffer.allocUnsafe(size);
    filled = 0;
  };
  return (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(target, filled, at);
      at += copied;
      filled += copied;
      if (filled < target.length) return;
      const whole = target;
      if (isLength) {
        const size = whole.readInt32BE(0);
        if (size < CORRELATION_BYTES || size > (pending[0]?.maxBytes ?? 0)) {
          throw new ProtocolError('the broker sent an unexpected response');
        }
        expect(size);
      } else {
        expect(LENGTH_BYTES);
        onResponse(whole);
      }
      isLength = !isLength;
    }
  };
}

function unreachable(error: unknown): BrokerError {
  if (error instanceof BrokerError) return error;
  if (error instanceof ProtocolError) return new BrokerError('protocol', error.message);
  if (error instanceof KafkaError) {
    if (error.code === 'ADDRESS_REFUSED') return new BrokerError('address', error.message);
    return new BrokerError('connection', error.message.replace(/\.$/, ''));
  }
  const { code } = error as { code?: unknown };
  return new BrokerError('connection', typeof code === 'string' ? code : 'the connection broke');
}

/**
 * Sends numbered requests through a connected socket, and matches the responses. It has these states:
 *
 * ## Busy
 *
 * Requests are open. Their responses arrive in order.
 *
 * ## Idle
 *
 * No request is open. The socket is closed after 30 s without one.
 *
 * ## Retired
 *
 * New requests are rejected. The socket is closed when no request is open, after 5 s at most.
 *
 * ## Failed
 *
 * The socket has failed or is closed. The outcome of open requests is unknown.
 */
function createRequests(socket: Socket, clientId: string) {
  const pending: Pending[] = [];
  let nextId = 0;
  let failure: BrokerError | null = null;
  let isRetired = false;
  let timer: NodeJS.Timeout | undefined;

  const rest = () => {
    clearTimeout(timer);
    if (failure || pending.length > 0) return;
    if (isRetired) socket.destroy();
    else timer = setTimeout(() => socket.destroy(), IDLE_CONNECTION_MS).unref();
  };
  const onResponse = (body: Buffer) => {
    const [request] = pending;
    if (!request || body.readInt32BE(0) !== request.correlationId) {
      throw new ProtocolError('the broker responded to another request');
    }
    pending.shift();
    request.settle(body.subarray(CORRELATION_BYTES));
    rest();
  };
  const read = createFraming(pending, onResponse);
  socket.on('data', (chunk: Buffer) => {
    try {
      if (!failure) read(chunk);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  socket.on('error', (error) => {
    failure ??= unreachable(error);
  });
  socket.on('end', () => {
    failure ??= CLOSED;
    socket.destroy();
  });
  socket.on('close', () => {
    failure ??= CLOSED;
    clearTimeout(timer);
    for (const { settle } of pending.splice(0)) settle(null);
  });

  return {
    failure: () => failure,
    isUsable: () => !failure && !isRetired,
    send<Response>(call: Call<Response>): Promise<Response> {
      if (failure) return Promise.reject(failure);
      if (isRetired) return Promise.reject(new BrokerError('connection', 'the connection was closed'));
      clearTimeout(timer);
      const correlationId = nextId;
      nextId = (nextId + 1) & 0x7fffffff;
      return new Promise((resolve, reject) => {
        const settle = (body: Buffer | null) => {
          if (!body) return reject(new BrokerError('sent', failure?.message ?? 'the connection broke'));
          try {
            resolve(call.read(new Reader(body)));
          } catch {
            reject(new BrokerError('sent', 'the response violates the protocol'));
            socket.destroy();
          }
        };
        pending.push({ correlationId, maxBytes: call.maxBytes ?? SHORT_RESPONSE, settle });
        socket.write(frame(call, { correlationId, clientId }));
      });
    },
    retire() {
      isRetired = true;
      rest();
      if (pending.length > 0) setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
    },
  };
}

type Requests = ReturnType<typeof createRequests>;

/** Reads the versions that the broker supports. Returns a function that chooses the version of a request. */
async function negotiate(requests: Requests): Promise<Broker['versionOf']> {
  const { error, ranges } = await requests.send(apiVersions);
  if (error !== 0) throw new BrokerError('protocol', 'the broker did not report its versions', error);
  const best = (api: keyof typeof APIS): number | undefined => {
    const { key, versions } = APIS[api];
    const range = ranges.find((each) => each.key === key);
    return versions.find((version) => range && version >= range.min && version <= range.max);
  };
  return (api) => {
    const version = best(api);
    if (version === undefined)
      throw new BrokerError('protocol', `the broker supports no known version of ${api}`);
    return version;
  };
}

async function logIn(requests: Requests, sasl: SaslCredentials): Promise<void> {
  const handshake = await requests.send(saslHandshake(sasl.mechanism));
  if (handshake.error !== 0) {
    throw new BrokerError('auth', `the broker does not support ${sasl.mechanism}`, handshake.error);
  }
  await authenticate(sasl.mechanism, sasl, async (message) => {
    const { error, token } = await requests.send(saslAuthenticate(message));
    if (error !== 0) throw new BrokerError('auth', 'the broker refused the credentials', error);
    return token;
  });
}

/** Why a connection could not be established. No record was sent yet, so an unanswered request is only one of the reasons. */
function causeOf(error: unknown, failure: BrokerError | null): BrokerError {
  if (error instanceof SaslError) return new BrokerError('auth', error.message);
  if (!(error instanceof BrokerError) || error.reason !== 'sent') return unreachable(error);
  return failure ?? new BrokerError('protocol', error.message);
}

/** Connects to a broker and logs in. Rejects with a {@link BrokerError}; no record was sent in that case. */
export async function connectBroker(
  address: BrokerAddress,
  { connect, sasl, clientId }: Access,
): Promise<Broker> {
  const limit = new AbortController();
  const late = new BrokerError('connection', 'the connection timed out');
  const timer = setTimeout(() => limit.abort(late), CONNECT_TIMEOUT_MS);
  const isLate = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(late), { once: true });
  });
  const opening = connect(address, limit.signal);
  let socket: Socket | null = null;
  let failure: Requests['failure'] = () => null;
  try {
    socket = await Promise.race([opening, isLate]);
    const requests = createRequests(socket.setNoDelay(true), clientId);
    failure = requests.failure;
    const open = async () => {
      const versionOf = await negotiate(requests);
      if (sasl) await logIn(requests, sasl);
      return versionOf;
    };
    const versionOf = await Promise.race([open(), isLate]);
    const { isUsable, send, retire } = requests;
    return { address: `${socket.remoteAddress}:${socket.remotePort}`, versionOf, isUsable, send, retire };
  } catch (error) {
    const cause = causeOf(error, failure());
    const end = (opened: Socket) => void opened.on('error', () => undefined).destroy();
    if (socket) end(socket);
    else opening.then(end, () => undefined);
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}
