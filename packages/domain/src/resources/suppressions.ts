import { formatId } from '../ids.ts';
import type { JsonObject } from '../storable-json.ts';
import { formatTime } from '../timestamp.ts';

/** See {@link MANAGED_RESOURCES}. */
export const SUPPRESSION_RESOURCES = [
  { name: 'suppression', idPrefix: 'sup', label: 'suppression' },
] as const;

/** Why an address was added to the list. */
export const SUPPRESSION_SOURCES = [
  'hard_bounce',
  'soft_bounce',
  'complaint',
  'unsubscribe',
  'manual',
  'import',
] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

/** An address to which an environment sends no email. Ids are UUIDs. */
export interface SuppressionRecord {
  readonly id: string;
  readonly environmentId: string;
  /** Null if it was erased, or never known. */
  readonly email: string | null;
  /** `all` or a stream. */
  readonly scope: string;
  readonly reason: string | null;
  readonly source: SuppressionSource;
  readonly createdAt: Date;
  /** When it ends; null if it stays. */
  readonly expiresAt: Date | null;
}

/** A suppression as the API shows it. */
export function presentSuppression(suppression: SuppressionRecord): JsonObject {
  const { email, reason } = suppression;
  return { ...suppressionForAudit(suppression), email, reason };
}

/** A suppression as the audit log stores it: without the address, and without the reason, which may contain it. */
export function suppressionForAudit({
  id,
  environmentId,
  scope,
  source,
  createdAt,
  expiresAt,
}: SuppressionRecord): JsonObject {
  return {
    id: formatId('sup', id),
    environment_id: formatId('env', environmentId),
    scope,
    source,
    created_at: formatTime(createdAt),
    expires_at: expiresAt && formatTime(expiresAt),
  };
}
