import type { SenderOptions } from '../sender.ts';
import { createVettedResolver } from '../vetted-address.ts';
import { createGotSender } from './got-sender.ts';
import { createNodeSender } from './node-sender.ts';
import type { CreateHttpSender, HttpSender } from './sender.ts';
import { createUndiciSender } from './undici-sender.ts';

const CLIENTS: Record<Exclude<SenderOptions['httpClient'], 'node' | undefined>, CreateHttpSender> = {
  got: createGotSender,
  undici: createUndiciSender,
};

/**
 * Creates the HTTP client of a sender. It connects only to addresses that the policy allows. The caller must check a
 * literal address first (`isLiteralRefused`). Requests with a TLS identity or through a proxy always use Node's
 * client, because only it supports both per request.
 */
export function createHttpSender({
  isAddressAllowed,
  resolve,
  httpClient = 'node',
  egressProxy,
}: SenderOptions): HttpSender {
  const vetted = createVettedResolver(isAddressAllowed, resolve);
  const node = createNodeSender(vetted, egressProxy);
  if (httpClient === 'node' || egressProxy) return node;
  const chosen = CLIENTS[httpClient](vetted);
  return {
    post: (post) => (post.tls ? node : chosen).post(post),
    close() {
      node.close();
      chosen.close();
    },
  };
}
