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
import { messageLists } from '../pages.ts';
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

function messagesOf({ http, perform }: AdminCalls, keyed: Keyed) {
  return {
    /** Messages of one environment. Filters on runs must all hold for the same run. A page can be empty. */
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
        /** Delivers the message again with the current channels and templates. Counts 1 against the quota. */
        replay: (messageId: string, input: ReplayInput = {}, write?: WriteOptions) =>
          keyed(input, write, (init, header) =>
            http.POST(`${MESSAGE}/replay`, {
              ...init,
              params: { header, path: { environmentId, messageId } },
              body: input,
            }),
          ),
        /** Gives the runs that are still `scheduled` another time. Returns the outcome for each. */
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
        /** Cancels the runs that are still `scheduled`. Returns the outcome for each. */
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

type Body = BodyOf<'createReplayBatch'>;

/** Begins bulk replays. Both calls use one path: `dry_run` determines the response. */
function newReplaysOf({ http, perform }: AdminCalls) {
  const post = (environmentId: string, body: Body, options: CallOptions | undefined) =>
    perform(
      (init) =>
        http.POST('/admin/v1/environments/{environmentId}/replays', {
          ...init,
          params: { path: { environmentId } },
          body,
        }),
      options,
    );
  return {
    /** Counts the messages that would be replayed, without replaying them. */
    count: async (environmentId: string, body: Omit<Body, 'dry_run'>, options?: CallOptions) =>
      (await post(environmentId, { ...body, dry_run: true }, options)) as ReplayPreview,
    create: async (environmentId: string, body: Omit<Body, 'dry_run'>, options?: CallOptions) =>
      (await post(environmentId, { ...body, dry_run: false }, once(options))) as ReplayBatch,
  };
}

/** Sends events on behalf of an environment. */
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
      /** The content that an attempt sent (the newest by default), rendered again and verified. */
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

/** The encryption keys of webhook secrets and SMTP passwords. No call shows a secret. */
function secretsOf({ http, perform }: AdminCalls) {
  return {
    /** How many secrets there are under each key. */
    keys: (options?: CallOptions) => perform((init) => http.GET('/admin/v1/secrets', init), options),
    /** Re-encrypts secrets with the current key, in batches: repeat while `has_more`. */
    reencrypt: (body: BodyOf<'reencryptSecrets'> = {}, options?: CallOptions) =>
      perform((init) => http.POST('/admin/v1/secrets/reencrypt', { ...init, body }), options),
  };
}

interface AdminCredentials {
  /** The installation's ADMIN_TOKEN. */
  readonly adminToken: string;
  /** The actor for the audit log: 1 to 128 visible ASCII characters; `admin` by default. */
  readonly actor?: string;
}

export type PostriderAdminOptions = ConnectionOptions & (AdminCredentials | SessionCredentials);

/** The management API. Every call rejects with a PostriderError. */
export type PostriderAdmin = ReturnType<typeof createPostriderAdmin>;

/** Creates a client for the management API. Opens no connection. Throws for an invalid address or token. */
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
  const generated = generatedResources(calls);
  return {
    ...generated,
    events: eventsOf(calls, keyed),
    deliveryRuns: deliveryRunsOf(calls, keyed),
    messages: messagesOf(calls, keyed),
    replays: { ...generated.replays, ...newReplaysOf(calls) },
    secrets: secretsOf(calls),
  };
}
