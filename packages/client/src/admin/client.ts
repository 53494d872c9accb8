import { openHttp } from '../client.ts';
import { generatedResources } from '../generated.ts';
import { type ConnectionOptions, createPerform } from '../transport.ts';
import { messagesOf } from './messages.ts';
import { replaysOf } from './replays.ts';
import { secretsOf } from './secrets.ts';

export interface PostriderAdminOptions extends ConnectionOptions {
  /** The installation's ADMIN_TOKEN. */
  readonly adminToken: string;
  /** Who is acting, for the audit log: 1 to 128 visible ASCII characters; `admin` when left out. */
  readonly actor?: string;
}

/** The management interface. Every call rejects with a PostriderError. */
export type PostriderAdmin = ReturnType<typeof createPostriderAdmin>;

/**
 * A client for managing an installation. Opens nothing; throws when the address or the token cannot be one.
 */
export function createPostriderAdmin(options: PostriderAdminOptions) {
  const headers: Record<string, string> = options.actor ? { 'X-Actor': options.actor } : {};
  const calls = {
    http: openHttp(options, options.adminToken, headers),
    perform: createPerform(options),
  };
  return {
    ...generatedResources(calls),
    messages: messagesOf(calls),
    replays: replaysOf(calls),
    secrets: secretsOf(calls),
  };
}
