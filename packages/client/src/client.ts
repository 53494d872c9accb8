import createClient, { type Client } from 'openapi-fetch';
import { type BatchSending, createBatchSending } from './batch.ts';
import { type DeliveriesOptions, deliveriesOf } from './deliveries.ts';
import type { paths } from './generated.ts';
import { type MessageLists, messageLists } from './pages.ts';
import { createFollow, type StreamEvent, type StreamOptions } from './stream.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  createPerform,
  type Perform,
  SURROUNDINGS,
  type TryInit,
} from './transport.ts';
import type {
  Accepted,
  CancelledMessage,
  Deliveries,
  DeliveryRun,
  EventInput,
  Limits,
  Message,
  MessageQuery,
  QueryOf,
  Replayed,
  ReplayInput,
  RescheduledMessage,
  SentContent,
  Stats,
  Usage,
} from './types.ts';

/** In the page of the console: the browser's cookie says who calls. */
export interface SessionCredentials {
  readonly session: {
    /** `csrf_token` of `GET /console/session`. */
    readonly csrfToken: string;
  };
}

/** `token`: of one environment, `pr_…`; what the client reads and makes belongs to that environment. */
export type PostriderOptions = ConnectionOptions & ({ readonly token: string } | SessionCredentials);

/** Of calls that create something. */
export interface WriteOptions extends CallOptions {
  /**
   * A UUID; made by the client when left out, and kept over its retries. Give one of your own, stored with
   * what the call is for, to make the call again after a crash without doing anything twice (within 24
   * hours).
   */
  readonly idempotencyKey?: string;
}

/** How a message is read. */
export interface GetMessageOptions extends CallOptions {
  readonly explain?: 'channels';
}

/** The public interface for one environment. Every call rejects with a PostriderError. */
export interface Postrider {
  readonly events: {
    /** Accepts an event; resolves once it is stored and will be delivered at least once. */
    send(event: EventInput, options?: WriteOptions): Promise<Accepted>;
  } & BatchSending;
  readonly messages: MessageLists<MessageQuery, Message> & {
    /** `explain: 'channels'` adds which channels took the event, and why the others did not. */
    get(messageId: string, options?: GetMessageOptions): Promise<Message>;
    /** A page of delivery runs, oldest first, with every attempt: the first 100 runs unless told otherwise. */
    deliveries(messageId: string, options?: DeliveriesOptions): Promise<Deliveries>;
    /** Every delivery run with every attempt, oldest first, page after page. */
    runs(messageId: string, options?: CallOptions): AsyncGenerator<DeliveryRun, void, undefined>;
    /** Delivers again, with the channels and templates of now; counts 1 against the quota. */
    replay(messageId: string, input?: ReplayInput, options?: WriteOptions): Promise<Replayed>;
    /** Gives the runs that are still `scheduled` another time, and says what became of each. */
    reschedule(messageId: string, scheduleAt: string, options?: CallOptions): Promise<RescheduledMessage>;
    /** Cancels the runs that are still `scheduled`, and says what became of each. */
    cancel(messageId: string, options?: CallOptions): Promise<CancelledMessage>;
  };
  readonly deliveryRuns: {
    /** Only a run that is still `scheduled` can be cancelled. */
    cancel(deliveryRunId: string, options?: WriteOptions): Promise<DeliveryRun>;
    /** What an attempt sent, the newest unless told otherwise, rendered again and verified. */
    content(
      deliveryRunId: string,
      query?: QueryOf<'getDeliveryContent'>,
      options?: CallOptions,
    ): Promise<SentContent>;
  };
  /** Figures by hour or minute: the last 24 hours unless the query says otherwise. */
  stats(query?: QueryOf<'getStats'>, options?: CallOptions): Promise<Stats>;
  /**
   * What happens, as it happens, through ends of streams and lost connections: it goes on after the last event that came. While
   * the service has no room (503), each try yields a `reset`: read the lists then. Leaving the loop closes the connection.
   */
  stream(options?: StreamOptions): Promise<AsyncGenerator<StreamEvent, void, undefined>>;
  usage(options?: CallOptions): Promise<Usage>;
  limits(options?: CallOptions): Promise<Limits>;
}

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** What makes the service know who calls. Throws a TypeError for a token that cannot be one. */
function credentialsOf(given: string | SessionCredentials): {
  readonly headers: Record<string, string>;
  readonly credentials: 'same-origin' | 'omit';
} {
  if (typeof given !== 'string') {
    return { headers: { 'X-CSRF-Token': given.session.csrfToken }, credentials: 'same-origin' };
  }
  if (!VISIBLE_ASCII.test(given))
    throw new TypeError('The token is empty or has characters that no token has.');
  return { headers: { Authorization: `Bearer ${given}` }, credentials: 'omit' };
}

/**
 * The transport of both interfaces, with the bearer token or the CSRF token of the session on every request. Throws a
 * TypeError when the address or the token cannot be one, which would be taken for a broken connection later; its message
 * shows neither.
 */
export function openHttp(
  { baseUrl, surroundings }: ConnectionOptions,
  given: string | SessionCredentials,
  headers: Record<string, string> = {},
): Client<paths> {
  const { href, username, password } = new URL(baseUrl);
  if (username || password) throw new TypeError('The address has a user name or password.');
  const { headers: ofCaller, credentials } = credentialsOf(given);
  return createClient<paths>({
    baseUrl: href,
    headers: { ...headers, Accept: 'application/json', ...ofCaller },
    credentials,
    fetch: surroundings?.fetch ?? SURROUNDINGS.fetch,
    // A redirect would send the call elsewhere, and a POST as a GET.
    redirect: 'manual',
  });
}

/** Makes a call that creates something: {@link createKeyed}. */
export type Keyed = <Data>(
  body: unknown,
  write: WriteOptions | undefined,
  attempt: (
    init: TryInit & { bodySerializer: () => string },
    header: { 'Idempotency-Key': string },
  ) => Promise<{ data?: Data; error?: unknown; response: Response }>,
) => Promise<Data>;

/**
 * One key and one text of the body for all tries of a call: the service compares the bytes
 * (docs/specification.md, "Idempotency").
 */
export function createKeyed(options: ConnectionOptions, perform: Perform): Keyed {
  const newKey = options.surroundings?.newKey ?? SURROUNDINGS.newKey;
  return (body, write, attempt) => {
    const idempotencyKey = write?.idempotencyKey ?? newKey();
    const text = JSON.stringify(body);
    return perform(
      (init) => attempt({ ...init, bodySerializer: () => text }, { 'Idempotency-Key': idempotencyKey }),
      { ...write, idempotencyKey },
    );
  };
}

/** A client for one environment. Opens nothing; throws when the address or the token cannot be one. */
export function createPostrider(options: PostriderOptions): Postrider {
  const http = openHttp(options, 'session' in options ? options : options.token);
  const perform = createPerform(options);
  const keyed = createKeyed(options, perform);
  const follow = createFollow(options, perform);

  return {
    events: {
      send: (event, write) =>
        keyed(event, write, (init, header) =>
          http.POST('/api/v1/events', { ...init, params: { header }, body: event }),
        ),
      ...createBatchSending(options, (text, call) =>
        perform(
          (init) =>
            http.POST('/api/v1/events/batch', {
              ...init,
              bodySerializer: () => text,
              body: { events: [], atomic: false },
            }),
          call,
        ),
      ),
    },
    messages: {
      ...messageLists<MessageQuery, Message>((query, call) =>
        perform((init) => http.GET('/api/v1/messages', { ...init, params: { query } }), call),
      ),
      get: (messageId, { explain, ...call } = {}) =>
        perform(
          (init) =>
            http.GET('/api/v1/messages/{messageId}', {
              ...init,
              params: { path: { messageId }, query: { ...(explain && { explain }) } },
            }),
          call,
        ),
      ...deliveriesOf((messageId, query, call) =>
        perform(
          (init) =>
            http.GET('/api/v1/messages/{messageId}/deliveries', {
              ...init,
              params: { path: { messageId }, query },
            }),
          call,
        ),
      ),
      replay: (messageId, input = {}, write) =>
        keyed(input, write, (init, header) =>
          http.POST('/api/v1/messages/{messageId}/replay', {
            ...init,
            params: { header, path: { messageId } },
            body: input,
          }),
        ),
      reschedule: (messageId, schedule_at, call) =>
        perform(
          (init) =>
            http.PATCH('/api/v1/messages/{messageId}', {
              ...init,
              params: { path: { messageId } },
              body: { schedule_at },
            }),
          call,
        ),
      cancel: (messageId, call) =>
        perform(
          (init) =>
            http.POST('/api/v1/messages/{messageId}/cancel', {
              ...init,
              params: { path: { messageId } },
              body: {},
            }),
          call,
        ),
    },
    deliveryRuns: {
      cancel: (deliveryRunId, write) =>
        keyed({}, write, (init, header) =>
          http.POST('/api/v1/delivery-runs/{deliveryRunId}/cancel', {
            ...init,
            params: { header, path: { deliveryRunId } },
            body: {},
          }),
        ),
      content: (deliveryRunId, query = {}, call) =>
        perform(
          (init) =>
            http.GET('/api/v1/delivery-runs/{deliveryRunId}/content', {
              ...init,
              params: { path: { deliveryRunId }, query },
            }),
          call,
        ),
    },
    stats: (query = {}, call) =>
      perform((init) => http.GET('/api/v1/stats', { ...init, params: { query } }), call),
    stream: (call = {}) =>
      follow(
        (init, header) => http.GET('/api/v1/stream', { ...init, params: { header }, parseAs: 'stream' }),
        call,
      ),
    usage: (call) => perform((init) => http.GET('/api/v1/usage/current', init), call),
    limits: (call) => perform((init) => http.GET('/api/v1/limits', init), call),
  };
}
