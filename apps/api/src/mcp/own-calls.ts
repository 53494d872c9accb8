import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { OriginLookup, RequestOrigin } from '@postrider/listener';
import { headerOf } from '../http/request.ts';

const HEADER = 'x-postrider-own-call';

/** The calls that tools of this process make to it, which are their clients' for the audit log and for limits by address. */
export interface OwnCalls {
  /** The client of a request; of an own call that of the tool. */
  readonly originOf: OriginLookup;
  /** The headers of an own call for this client. */
  headersFor(client: RequestOrigin): Readonly<Record<string, string>>;
}

/** Knows own calls by a secret that never leaves the process. */
export function createOwnCalls(originOf: OriginLookup): OwnCalls {
  const secret = randomBytes(32).toString('base64url');
  const expected = Buffer.from(secret);
  function isOwn(text: string): boolean {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
  return {
    originOf(request) {
      const [given = '', address = '', scheme] = (headerOf(request, HEADER) ?? '').split(' ');
      return given !== '' && isOwn(given) ? { address, isSecure: scheme === 'https' } : originOf(request);
    },
    headersFor: ({ address, isSecure }) => ({
      [HEADER]: `${secret} ${address} ${isSecure ? 'https' : 'http'}`,
    }),
  };
}
