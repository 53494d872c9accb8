import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, QueryOf, Token } from '../types.ts';
import { type AdminCalls, once } from './calls.ts';

const TOKENS = '/admin/v1/environments/{environmentId}/tokens';
const TOKEN = '/admin/v1/tokens/{tokenId}';

/** What clients of an environment authenticate with. */
export function tokensOf({ http, perform }: AdminCalls) {
  return {
    /** Those of one environment, without their secrets. */
    of: (environmentId: string) =>
      pagedList<QueryOf<'listTokens'>, Token>((query, options) =>
        perform((init) => http.GET(TOKENS, { ...init, params: { path: { environmentId }, query } }), options),
      ),
    /** The answer has the token itself, which is not shown again. */
    issue: (environmentId: string, body: BodyOf<'issueToken'>, options?: CallOptions) =>
      perform(
        (init) => http.POST(TOKENS, { ...init, params: { path: { environmentId } }, body }),
        once(options),
      ),
    /** Issues a successor; both work until the overlap is over. */
    rotate: (tokenId: string, body: BodyOf<'rotateToken'> = {}, options?: CallOptions) =>
      perform(
        (init) => http.POST(`${TOKEN}/rotate`, { ...init, params: { path: { tokenId } }, body }),
        once(options),
      ),
    /** Refused everywhere within 5 seconds. */
    revoke: (tokenId: string, options?: CallOptions) =>
      perform((init) => http.DELETE(TOKEN, { ...init, params: { path: { tokenId } } }), options),
  };
}
