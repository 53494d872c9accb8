import {
  createKeyed,
  type GetMessageOptions,
  type Keyed,
  openHttp,
  type SessionCredentials,
  type WriteOptions,
} from '../client.ts';
import { deliveriesOf } from '../deliveries.ts';
import { generatedResources } from '../generated.ts';
import { messageLists, pagedList } from '../pages.ts';
import { createFollow } from '../stream.ts';
import { type CallOptions, type ConnectionOptions, createPerform } from '../transport.ts';
import type {
  BodyOf,
  EventInput,
  Message,
  MessageSearchQuery,
  QueryOf,
  ReplayBatch,
  ReplayInput,
  ReplayPreview,
} from '../types.ts';
import { type AdminCalls, once } from './calls.ts';

const MESSAGES = '/admin/v1/environments/{environmentId}/messages';
const MESSAGE = `${MESSAGES}/{messageId}` as const;

/** What has become of the events of any environment. */
function messagesOf({ http, perform }: AdminCalls, keyed: Keyed) {
  return {
    /** Those of one environment; the filters on runs hold for one and the same run. A page can be empty. */
    of: (environmentId: string) => {
      return {
        ...messageLists<MessageSearchQuery, Message>((query, options) =>
          perform(
            (init) => http.GET(MESSAGES, { ...init, params: { path: { environmentId }, query } }),
            options,
          ),
        ),
        get: (messageId: string, { explain, ...options }: GetMessageOptions = {}) =>
          perform(
            (init) =>
              http.GET(MESSAGE, {
                ...init,
                params: { path: { environmentId, messageId }, query: { ...(explain && { explain }) } },
              }),
            options,
          ),
        /** Delivers again, with the channels and templates of now; counts 1 against the quota. */
        replay: (messageId: string, input: ReplayInput = {}, write?: WriteOptions) =>
          keyed(input, write, (init, header) =>
            http.POST(`${MESSAGE}/replay`, {
              ...init,
              params: { header, path: { environmentId, messageId } },
              body: input,
            }),
          ),
        /** Gives the runs that are still `scheduled` another time, and says what became of each. */
        reschedule: (messageId: string, schedule_at: string, options?: CallOptions) =>
          perform(
            (init) =>
              http.PATCH(MESSAGE, {
                ...init,
                params: { path: { environmentId, messageId } },
                body: { schedule_at },
              }),
            options,
          ),
        /** Cancels the runs that are still `scheduled`, and says what became of each. */
        cancel: (messageId: string, options?: CallOptions) =>
          perform(
            (init) =>
              http.POST(`${MESSAGE}/cancel`, {
                ...init,
                params: { path: { environmentId, messageId } },
                body: {},
              }),
            options,
          ),
        ...deliveriesOf((messageId, query, options) =>
          perform(
            (init) =>
              http.GET(`${MESSAGE}/deliveries`, {
                ...init,
                params: { path: { environmentId, messageId }, query },
              }),
            options,
          ),
        ),
      };
    },
  };
}

const REPLAYS = '/admin/v1/environments/{environmentId}/replays';
const REPLAY = '/admin/v1/replays/{replayId}';

type Body = BodyOf<'createReplayBatch'>;

/** Replays of all messages that match a filter, in the background. */
function replaysOf({ http, perform }: AdminCalls) {
  /** One path does both: `dry_run` decides which of the two answers comes. */
  const post = (environmentId: string, body: Body, options: CallOptions | undefined) =>
    perform((init) => http.POST(REPLAYS, { ...init, params: { path: { environmentId } }, body }), options);
  const on = (replayId: string) => ({ params: { path: { replayId } } });
  return {
    /** Those of one environment. */
    of: (environmentId: string) =>
      pagedList<QueryOf<'listReplayBatches'>, ReplayBatch>((query, options) =>
        perform(
          (init) => http.GET(REPLAYS, { ...init, params: { path: { environmentId }, query } }),
          options,
        ),
      ),
    get: (replayId: string, options?: CallOptions) =>
      perform((init) => http.GET(REPLAY, { ...init, ...on(replayId) }), options),
    /** Counts what would be replayed, and does nothing. */
    count: async (environmentId: string, body: Omit<Body, 'dry_run'>, options?: CallOptions) =>
      (await post(environmentId, { ...body, dry_run: true }, options)) as ReplayPreview,
    create: async (environmentId: string, body: Omit<Body, 'dry_run'>, options?: CallOptions) =>
      (await post(environmentId, { ...body, dry_run: false }, once(options))) as ReplayBatch,
    /** The runs that were made go on. */
    cancel: (replayId: string, options?: CallOptions) =>
      perform((init) => http.POST(`${REPLAY}/cancel`, { ...init, ...on(replayId) }), options),
  };
}

/** Events, sent in the place of an environment's own product. */
function eventsOf({ http }: AdminCalls, keyed: Keyed) {
  return {
    of: (environmentId: string) => ({
      /** Accepts an event; resolves once it is stored and will be delivered at least once. */
      send: (event: EventInput, write?: WriteOptions) =>
        keyed(event, write, (init, header) =>
          http.POST('/admin/v1/environments/{environmentId}/events', {
            ...init,
            params: { header, path: { environmentId } },
            body: event,
          }),
        ),
    }),
  };
}

const RUN = '/admin/v1/environments/{environmentId}/delivery-runs/{deliveryRunId}';

/** Single deliveries of any environment. */
function deliveryRunsOf({ http, perform }: AdminCalls, keyed: Keyed) {
  return {
    of: (environmentId: string) => ({
      /** Only a run that is still `scheduled` can be cancelled. */
      cancel: (deliveryRunId: string, write?: WriteOptions) =>
        keyed({}, write, (init, header) =>
          http.POST(`${RUN}/cancel`, {
            ...init,
            params: { header, path: { environmentId, deliveryRunId } },
            body: {},
          }),
        ),
      /** What an attempt sent, the newest unless told otherwise, rendered again and verified. */
      content: (
        deliveryRunId: string,
        query: QueryOf<'getEnvironmentDeliveryContent'> = {},
        options?: CallOptions,
      ) =>
        perform(
          (init) =>
            http.GET(`${RUN}/content`, {
              ...init,
              params: { path: { environmentId, deliveryRunId }, query },
            }),
          options,
        ),
    }),
  };
}

/** The keys under which webhook secrets and SMTP passwords are stored. No call shows a secret. */
function secretsOf({ http, perform }: AdminCalls) {
  return {
    /** How many secrets there are under each key. */
    keys: (options?: CallOptions) => perform((init) => http.GET('/admin/v1/secrets', init), options),
    /** Brings secrets under the current key, some at a time: again while `has_more`. */
    reencrypt: (body: BodyOf<'reencryptSecrets'> = {}, options?: CallOptions) =>
      perform((init) => http.POST('/admin/v1/secrets/reencrypt', { ...init, body }), options),
  };
}

interface AdminCredentials {
  /** The installation's ADMIN_TOKEN. */
  readonly adminToken: string;
  /** Who is acting, for the audit log: 1 to 128 visible ASCII characters; `admin` when left out. */
  readonly actor?: string;
}

export type PostriderAdminOptions = ConnectionOptions & (AdminCredentials | SessionCredentials);

/** The management interface. Every call rejects with a PostriderError. */
export type PostriderAdmin = ReturnType<typeof createPostriderAdmin>;

/**
 * A client for managing an installation. Opens nothing; throws when the address or the token cannot be one.
 */
export function createPostriderAdmin(options: PostriderAdminOptions) {
  const actor = 'session' in options ? undefined : options.actor;
  const headers: Record<string, string> = actor ? { 'X-Actor': actor } : {};
  const perform = createPerform(options);
  const calls = {
    http: openHttp(options, 'session' in options ? options : options.adminToken, headers),
    perform,
    follow: createFollow(options, perform),
  };
  const keyed = createKeyed(options, calls.perform);
  return {
    ...generatedResources(calls),
    events: eventsOf(calls, keyed),
    deliveryRuns: deliveryRunsOf(calls, keyed),
    messages: messagesOf(calls, keyed),
    replays: replaysOf(calls),
    secrets: secretsOf(calls),
  };
}
