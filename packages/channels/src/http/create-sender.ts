import type { SenderOptions } from '../sender.ts';
import { createVettedResolver } from '../vetted-address.ts';
import { createGotSender } from './got-sender.ts';
import { createNodeSender } from './node-sender.ts';
import type { CreateHttpSender, HttpSender } from './sender.ts';
import { createUndiciSender } from './undici-sender.ts';

const CLIENTS: Record<NonNullable<SenderOptions['httpClient']>, CreateHttpSender> = {
  node: createNodeSender,
  got: createGotSender,
  undici: createUndiciSender,
};

/**
 * Creates the HTTP client of a sender. It connects only to addresses that the policy allows; of a literal address the
 * caller must check that before.
 */
export function createHttpSender({
  isAddressAllowed,
  resolve,
  httpClient = 'node',
}: SenderOptions): HttpSender {
  return CLIENTS[httpClient](createVettedResolver(isAddressAllowed, resolve));
}
