import { parseTraceparent } from '@postrider/domain';
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
        : `Without TLS the broker must be on this machine, but ${address} is not.`,
  );
  return ({ tls }) => (tls ? forTls : forPlaintext);
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
