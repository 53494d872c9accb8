import { presentFields } from '../present.ts';
import type { JsonObject } from '../storable-json.ts';

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
/** What recipients asked for themselves. */
export const RECIPIENTS_WISHES: readonly SuppressionSource[] = ['complaint', 'unsubscribe'];

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
export function suppressionForAudit(suppression: SuppressionRecord): JsonObject {
  const shown = ['id', 'environmentId', 'scope', 'source', 'createdAt', 'expiresAt'] as const;
  return presentFields(suppression, shown, 'sup');
}

/** A stream that was paused because too many recipients complained. Its email is held until an operator resumes it. */
export interface PausedStreamRecord {
  /** UUID. */
  readonly environmentId: string;
  readonly stream: string;
  readonly pausedAt: Date;
  /** Null while it is paused. */
  readonly resumedAt: Date | null;
  /** The emails of a day before the pause: delivered ones, and those whose recipients complained. */
  readonly delivered: number;
  readonly complained: number;
  /** Its held runs, counted up to a limit. */
  readonly waiting: number;
}

/** A paused stream as the audit log and operational events show it. */
export function pausedStreamForAudit(paused: Omit<PausedStreamRecord, 'waiting'>): JsonObject {
  return presentFields(paused, ['stream', 'pausedAt', 'resumedAt', 'delivered', 'complained']);
}

/** A paused stream as the API shows it. */
export function presentPausedStream(paused: PausedStreamRecord): JsonObject {
  return {
    ...presentFields(paused, ['environmentId']),
    ...pausedStreamForAudit(paused),
    waiting: paused.waiting,
  };
}
