import { LRUCache, parseTraceparent } from '@postrider/domain';
import { refusedAddress } from '../connection-errors.ts';
import { createVettedResolver, isLoopbackAddress, type ResolveHost } from '../host.ts';
import type { Delivery, SenderOptions } from '../sender.ts';

/**
 * Creates the resolver of broker addresses. Without TLS only this machine is allowed, because the password would be
 * sent unencrypted.
 */
export function createBrokerResolver({
  isAddressAllowed,
  resolve,
}: SenderOptions): (settings: { readonly tls: boolean }) => ResolveHost {
  const forTls = createVettedResolver(isAddressAllowed, resolve);
  const forPlaintext = createVettedResolver(
    (address) => isLoopbackAddress(address) && isAddressAllowed(address),
    resolve,
    (address) =>
      isLoopbackAddress(address)
        ? refusedAddress(address)
        : `Without TLS the broker must be this machine, and ${address} is not.`,
  );
  return ({ tls }) => (tls ? forTls : forPlaintext);
}

/** What a connection is kept for: a channel, or a sender of one. Changing the channel increases the revision. */
type Owner = Pick<Delivery<unknown>['channel'], 'id' | 'revision'>;

/** A connection, or several, that a channel keeps open between deliveries. */
interface Kept {
  /** Whether new deliveries may use it. Always, if left out. */
  isUsable?(): boolean;
  /** Closes it as soon as no delivery uses it. */
  close(): void;
}

/**
 * Keeps one connection, or set of connections, per owner. It is replaced after a change of the channel and when it is
 * broken.
 * @param max the least recently used one is closed beyond this number
 */
export function createConnectionCache<Connection extends Kept>(max: number) {
  const open = new LRUCache<string, { revision: number; connection: Connection }>({
    max,
    dispose: ({ connection }) => connection.close(),
  });
  return {
    get({ id, revision }: Owner, connect: () => Connection): Connection {
      const existing = open.get(id);
      if (existing?.revision === revision && (existing.connection.isUsable?.() ?? true))
        return existing.connection;
      const connection = connect();
      open.set(id, { revision, connection });
      return connection;
    },
    close: () => open.clear(),
  };
}

/**
 * The headers of every message to a broker (docs/destinations.md). The run's id is the same on every attempt, so that
 * consumers can drop duplicates.
 */
export function messageHeaders({
  ids,
  message,
  attemptNumber,
  traceparent,
  sequence = null,
}: Pick<Delivery<unknown>, 'ids' | 'message' | 'attemptNumber' | 'traceparent' | 'sequence'>): Record<
  string,
  string
> {
  return {
    'postrider-run-id': ids.run,
    'postrider-message-id': ids.message,
    'postrider-event-key': message.eventKey,
    'postrider-attempt': String(attemptNumber),
    ...(message.test ? { 'postrider-test': 'true' } : {}),
    ...(sequence === null ? {} : { 'postrider-sequence': String(sequence) }),
    ...(traceparent !== null && parseTraceparent(traceparent)?.sampled ? { traceparent } : {}),
  };
}
