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
 * Creates the HTTP client of a sender. It connects only to addresses that the policy allows; of a literal address the
 * caller must check that before (`isLiteralRefused`). Node's client sends what needs a TLS identity of its own or goes through a proxy,
 * whichever is chosen: it alone takes both per request.
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
