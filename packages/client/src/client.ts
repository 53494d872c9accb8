import createClient, { type Client } from 'openapi-fetch';
import { createBatchSending } from './batch.ts';
import { callsOfEnvironment, createKeyed, type WriteOptions } from './environment.ts';
import { selfServiceResources } from './generated.ts';
import { createFollow, type StreamOptions } from './stream.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  createPerform,
  limitBody,
  SURROUNDINGS,
} from './transport.ts';
import type { MessageQuery, Paths, QueryOf } from './types.ts';

/** For the console in a browser: the session cookie authenticates. */
export interface SessionCredentials {
  readonly session: {
    /** `csrf_token` of `GET /console/session`. */
    readonly csrfToken: string;
  };
}

/** `token`: an environment's token, `pr_…`. The client reads and creates what belongs to that environment. */
export type PostriderOptions = ConnectionOptions & ({ readonly token: string } | SessionCredentials);

/** The public API for one environment. Every call rejects with a PostriderError. */
export type Postrider = ReturnType<typeof createPostrider>;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The authentication headers of calls. Throws a TypeError for an invalid token. */
function credentialsOf(given: string | SessionCredentials): {
  readonly headers: Record<string, string>;
  readonly credentials: 'same-origin' | 'omit';
} {
  if (typeof given === 'object') {
    return { headers: { 'X-CSRF-Token': given.session.csrfToken }, credentials: 'same-origin' };
  }
  // In JavaScript it can be undefined, such as a variable that is not set.
  if (typeof given !== 'string' || !VISIBLE_ASCII.test(given))
    throw new TypeError('The token is missing, or has characters that no token has.');
  return { headers: { Authorization: `Bearer ${given}` }, credentials: 'omit' };
}

const HTTP = /^https?:$/;
const DOTS = /^\.{1,2}$/;

/**
 * Encodes each id as one segment. One that is only dots would be resolved away, even percent-encoded once. An empty id
 * would make it the path of the list, so it becomes a space, which is no id either.
 */
function serializePath(pathname: string, ids: Record<string, unknown>): string {
  return pathname.replaceAll(/\{(\w+)\}/g, (_parameter, name: string) => {
    const id = String(ids[name]) || ' ';
    return encodeURIComponent(DOTS.test(id) ? id.replaceAll('.', '%2E') : id);
  });
}

/**
 * The transport of both APIs. Every request has the bearer token or the session's CSRF token. Throws a TypeError for an
 * invalid address or token, which would look like a broken connection later; its message shows neither.
 */
export function createTransport(
  options: ConnectionOptions,
  given: string | SessionCredentials,
  headers: Record<string, string> = {},
) {
  const { baseUrl } = options;
  // In JavaScript it can be undefined, such as a variable that is not set.
  if (!URL.canParse(baseUrl) || !HTTP.test(new URL(baseUrl).protocol))
    throw new TypeError('The address (baseUrl) is missing, or begins with neither https:// nor http://.');
  const { href, username, password } = new URL(baseUrl);
  if (username || password) throw new TypeError('The address has a user name or password.');
  const { headers: ofCaller, credentials } = credentialsOf(given);
  const http: Client<Paths> = createClient<Paths>({
    baseUrl: href,
    headers: { ...headers, Accept: 'application/json', ...ofCaller },
    credentials,
    pathSerializer: serializePath,
    fetch: options.surroundings?.fetch ?? SURROUNDINGS.fetch,
    // A redirect would send the call elsewhere, and a POST as a GET.
    redirect: 'manual',
  });
  // The reader of an open stream limits each of its events.
  http.use({
    onResponse: ({ response, options: { parseAs } }) =>
      parseAs === 'stream' && response.ok ? undefined : limitBody(response),
  });
  const perform = createPerform(options);
  return { http, perform, keyed: createKeyed(options, perform), follow: createFollow(options, perform) };
}

export type Transport = ReturnType<typeof createTransport>;

/** Creates a client for one environment. Opens no connection. Throws for an invalid address or token. */
export function createPostrider(options: PostriderOptions) {
  const transport = createTransport(options, 'session' in options ? options : options.token);
  const { http, perform, keyed, follow } = transport;
  const { events, messages, deliveryRuns } = callsOfEnvironment<MessageQuery>(transport);

  return {
    // Each needs a scope.
    ...selfServiceResources(transport),
    events: {
      ...events,
      ...createBatchSending(options, (text, call) => {
        const sent = { bodySerializer: () => text, body: { events: [], atomic: false } };
        return perform((init) => http.POST('/api/v1/events/batch', { ...init, ...sent }), call);
      }),
    },
    messages,
    deliveryRuns: {
      ...deliveryRuns,
      /** Delivers the message of a run to its channel again, which is one of the consumer. Counts 1 against the quota. */
      replay: (consumer: string, deliveryRunId: string, write?: WriteOptions) =>
        keyed({}, write, (init, header) =>
          http.POST('/api/v1/consumers/{consumer}/deliveries/{deliveryRunId}/replay', {
            ...init,
            params: { header, path: { consumer, deliveryRunId } },
          }),
        ),
    },
    /** Statistics by hour or minute: by default the last 24 hours. */
    stats: (query: QueryOf<'getStats'> = {}, call?: CallOptions) =>
      perform((init) => http.GET('/api/v1/stats', { ...init, params: { query } }), call),
    /**
     * Follows changes as they happen, through ends of streams and lost connections, from the last event that was
     * received. While the service has no room (503), each try yields a `reset`: read the lists then. Leaving the loop
     * closes the connection.
     */
    stream: (call: StreamOptions = {}) =>
      follow(
        (init, header) => http.GET('/api/v1/stream', { ...init, params: { header }, parseAs: 'stream' }),
        call,
      ),
    usage: (call?: CallOptions) => perform((init) => http.GET('/api/v1/usage/current', init), call),
    limits: (call?: CallOptions) => perform((init) => http.GET('/api/v1/limits', init), call),
  };
}
