import type { TlsIdentity } from '../certificates.ts';
import { connectInTime } from '../connections.ts';
import type { ResolveHost } from '../host.ts';
import { type AmqpConfig, portOf } from './config.ts';
import type { AmqpMessage, OpenLane, Publication } from './lane.ts';
import { type Link, openLink } from './link.ts';

/** Time limit for opening a connection, independent of the deliveries that wait for it. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Time limit for opening an AMQP channel. After it the connection ends, with all deliveries that use it. */
const LANE_TIMEOUT_MS = 10_000;
/** Idle connections are closed after this time, which is shorter than RabbitMQ's heartbeat of 60 s. */
const IDLE_CONNECTION_MS = 30_000;

/**
 * An AMQP channel in confirm mode. One delivery at a time uses it, so each confirm belongs to that delivery's
 * message.
 */
export interface Lane {
  /** `address:port`. */
  readonly address: string;
  /** Resolves with the result, or never: the caller releases the lane at its time limit. */
  publish(message: AmqpMessage): Promise<Publication>;
  /** Returns the lane. After a message without an answer, new deliveries get another connection. */
  release(isAnswered: boolean): void;
}

/** The broker accepts no messages at present, because of an alarm for memory or disk. */
export class BrokerBlockedError extends Error {}

export interface AmqpConnection {
  /** Whether new deliveries may use the connection. */
  isUsable(): boolean;
  /** Rejects if there is no connection, or with a {@link BrokerBlockedError}. The caller must release the lane. */
  acquire(): Promise<Lane>;
  /** Closes the connection as soon as no delivery uses it. */
  close(): void;
}

/** The credentials, and the authorities that the broker's certificate is checked with. */
export interface AmqpLogin {
  readonly password: string;
  readonly identity: TlsIdentity;
}

/**
 * Opens a connection to a broker. Deliveries share it, each with its own AMQP channel. It closes after 30 seconds
 * without use.
 */
export function openConnection(
  config: AmqpConfig,
  { password, identity }: AmqpLogin,
  resolve: ResolveHost,
): AmqpConnection {
  const idle: OpenLane[] = [];
  let users = 0;
  let isOver = false;
  let isRetired = false;
  /** A message has no answer. */
  let isStale = false;
  let blocked: string | null = null;
  let idleTimer: NodeJS.Timeout | undefined;

  const { host, username, vhost } = config;
  const opening = connectInTime(
    { host, port: portOf(config) },
    {
      tls: config.tls ? identity : null,
      resolve,
      limit: { ms: CONNECT_TIMEOUT_MS, error: new Error('the connection timed out') },
    },
    (socket) =>
      openLink(
        socket,
        { username, password, vhost },
        {
          onBlocked(reason) {
            blocked = reason;
            if (isStale && blocked === null) retire();
          },
          onEnd() {
            isOver = true;
            clearTimeout(idleTimer);
          },
        },
      ),
  );
  opening.catch(() => {
    isOver = true;
  });

  const close = () => {
    opening.then(
      (link) => link.close(),
      () => undefined,
    );
  };
  const retire = () => {
    if (isRetired) return;
    isRetired = true;
    if (users === 0) close();
  };
  const leave = () => {
    users -= 1;
    if (users > 0 || isOver) return;
    if (isRetired) close();
    else idleTimer = setTimeout(close, IDLE_CONNECTION_MS).unref();
  };

  async function takeLane(link: Link): Promise<OpenLane> {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      if (!kept.isClosed()) return kept;
    }
    const late = new Error('the broker did not open an AMQP channel in time');
    const timer = setTimeout(() => link.destroy(late), LANE_TIMEOUT_MS);
    link.allow(0);
    try {
      return await link.openLane();
    } catch (error) {
      // A broker that refuses one AMQP channel may leave each of them half open.
      retire();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    isUsable: () => !isOver && !isRetired,
    async acquire() {
      users += 1;
      clearTimeout(idleTimer);
      try {
        const link = await opening;
        // A broker that blocks a connection reads nothing from it, so it would not open an AMQP channel either.
        if (blocked !== null) throw new BrokerBlockedError(blocked);
        const lane = await takeLane(link);
        return {
          address: link.address,
          publish(message) {
            link.allow(message.content.length);
            return lane.publish(message);
          },
          release(isAnswered) {
            if (!isAnswered) isStale = true;
            else if (!lane.isClosed()) idle.push(lane);
            // A blocked broker confirms later. Its connection stays, because it says when that is over.
            if (isStale && blocked === null) retire();
            leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
    close: retire,
  };
}
