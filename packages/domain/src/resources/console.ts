import { formatId } from '../ids.ts';
import type { JsonObject } from '../storable-json.ts';
import { formatTime } from '../timestamp.ts';

/** See {@link MANAGED_RESOURCES}. */
export const CONSOLE_RESOURCES = [
  { name: 'console_session', idPrefix: 'ses', label: 'console session' },
] as const;

export const CONSOLE_ROLES = ['operator', 'integrator'] as const;
/** What a session may do: an operator manages everything, an integrator has the powers of one token. */
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/** A session of the console, without anything of its secret. Ids are UUIDs. */
export interface ConsoleSessionRecord {
  readonly id: string;
  readonly role: ConsoleRole;
  /** An operator's own name for themselves; the token's public id for an integrator. */
  readonly actor: string;
  /** Null for an operator. */
  readonly environmentId: string | null;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** A session as the API and the audit log show it. */
export function presentConsoleSession(session: ConsoleSessionRecord): JsonObject {
  return {
    id: formatId('ses', session.id),
    role: session.role,
    environment_id: session.environmentId && formatId('env', session.environmentId),
    actor: session.actor,
    created_at: formatTime(session.createdAt),
    last_used_at: formatTime(session.lastUsedAt),
    expires_at: formatTime(session.expiresAt),
  };
}
