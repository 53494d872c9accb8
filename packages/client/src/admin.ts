import { createTransport, type SessionCredentials, type Transport } from './client.ts';
import { callsOfEnvironment } from './environment.ts';
import { generatedResources } from './generated.ts';
import { type CallOptions, type ConnectionOptions, once } from './transport.ts';
import type { BodyOf, MessageSearchQuery, ReplayBatch, ReplayPreview } from './types.ts';

type Body = Omit<BodyOf<'createReplayBatch'>, 'dry_run'>;

/** Begins bulk replays. Both calls use one path: `dry_run` determines the response. */
function newReplaysOf({ http, perform }: Transport) {
  const post = (dry_run: boolean, environmentId: string, body: Body, options?: CallOptions) => {
    const sent = { params: { path: { environmentId } }, body: { ...body, dry_run } };
    return perform(
      (init) => http.POST('/admin/v1/environments/{environmentId}/replays', { ...init, ...sent }),
      options,
    );
  };
  return {
    /** Counts the messages that would be replayed, without replaying them. */
    count: async (environmentId: string, body: Body, options?: CallOptions) =>
      (await post(true, environmentId, body, options)) as ReplayPreview,
    create: async (environmentId: string, body: Body, options?: CallOptions) =>
      (await post(false, environmentId, body, once(options))) as ReplayBatch,
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
  const transport = createTransport(options, 'session' in options ? options : options.adminToken, headers);
  const ofEnvironment = (environmentId: string) =>
    callsOfEnvironment<MessageSearchQuery>(transport, environmentId);
  const generated = generatedResources(transport);
  return {
    ...generated,
    /** Sends events on behalf of an environment. */
    events: { of: (environmentId: string) => ofEnvironment(environmentId).events },
    deliveryRuns: { of: (environmentId: string) => ofEnvironment(environmentId).deliveryRuns },
    /** Messages of one environment. Filters on runs must all hold for the same run. A page can be empty. */
    messages: { of: (environmentId: string) => ofEnvironment(environmentId).messages },
    replays: { ...generated.replays, ...newReplaysOf(transport) },
  };
}
