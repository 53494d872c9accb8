import { isBareEmailAddress, type JsonObject, type OperationalEventType } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { isWantedPause } from '../health/pause.ts';
import { sinceId } from '../transactions/self-service-limits.ts';

const STATES: readonly string[] = [
  'channel.failing',
  'channel.paused',
  'channel.recovered',
] satisfies OperationalEventType[];

/** An operational event about the state of a channel of a consumer, of which the consumer wants to know. */
export interface ConsumerReport {
  readonly environmentId: string;
  readonly consumerId: string;
}

/**
 * The consumer to tell about an operational event; null if it is not about a consumer's channel. Nobody is told of a pause that
 * was wanted and of its end, nor of the end of mere failures, which follows a mail only if the channel was paused.
 */
export function consumerToTell(
  environmentId: string,
  { type, payload }: { readonly type: string; readonly payload: JsonObject },
): ConsumerReport | null {
  const { consumer, reason, was } = payload;
  if (typeof consumer !== 'string' || !STATES.includes(type)) return null;
  if (was === 'failing' || (typeof reason === 'string' && isWantedPause(reason))) return null;
  return { environmentId, consumerId: consumer };
}

/** The most mails to one contact in an hour. Neither the address nor the names of channels are verified. */
const MAX_MAILS_PER_HOUR = 4;

/** The address of a consumer, and how many mails it may get now. */
export interface Contact {
  readonly email: string;
  left: number;
}

/** The contact of a consumer; null without one, and if it is deleted. */
export async function readContact(
  db: Queryable,
  { environmentId, consumerId }: ConsumerReport,
): Promise<Contact | null> {
  const [row] = await db.$queryRaw<{ email: string; sent: number }[]>`
    SELECT contact_email AS email,
           (SELECT count(*)::int FROM messages
             WHERE environment_id = ${environmentId}::uuid AND recipient_email = contact_email AND operational
               AND id >= ${sinceId(3_600)} AND created_at >= now() - interval '1 hour') AS sent
      FROM consumers
     WHERE environment_id = ${environmentId}::uuid AND id = ${consumerId} AND deleted_at IS NULL AND contact_email IS NOT NULL`;
  if (!row || !isBareEmailAddress(row.email)) return null;
  return { email: row.email, left: MAX_MAILS_PER_HOUR - row.sent };
}
