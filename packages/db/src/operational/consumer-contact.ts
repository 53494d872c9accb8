import {
  canonicalAddress,
  isBareEmailAddress,
  type JsonObject,
  type OperationalEventType,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { isWantedPause } from '../health/pause.ts';
import { HAS_ADDRESS } from '../recipient-address.ts';
import { defineStatement } from '../statement.ts';
import { holdLock } from '../transactions/advisory-locks.ts';
import { sinceId } from '../transactions/self-service-limits.ts';

const STATES: readonly string[] = [
  'channel.failing',
  'channel.paused',
  'channel.recovered',
] satisfies OperationalEventType[];

/** An operational event about the state of a consumer's channel that the consumer wants to know about. */
export interface ConsumerReport {
  readonly environmentId: string;
  readonly consumerId: string;
  readonly channelId: string;
}

/**
 * The consumer to tell about an operational event; null if it is not about a consumer's channel. Nobody is told of a pause that
 * was wanted and of its end, of a resume by somebody, or of the end of mere failures, which follows a mail only if the channel was paused.
 */
export function consumerToTell(
  environmentId: string,
  { type, payload }: { readonly type: string; readonly payload: JsonObject },
): ConsumerReport | null {
  const { consumer, channel_id: channelId, reason, was, manual } = payload;
  if (typeof consumer !== 'string' || typeof channelId !== 'string' || !STATES.includes(type)) return null;
  if (was === 'failing' || manual === true || (typeof reason === 'string' && isWantedPause(reason)))
    return null;
  return { environmentId, consumerId: consumer, channelId };
}

/** The most mails to one contact in an hour. Neither the address nor the names of channels are verified. */
const MAX_MAILS_PER_HOUR = 4;

/**
 * The address of the consumer whose channel it is; null without one, and if the channel was deleted, as all are with their consumer: a
 * later consumer with its id is not told.
 */
export async function readContact(
  db: Queryable,
  { environmentId, consumerId, channelId }: ConsumerReport,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ email: string }[]>`
    SELECT contact_email AS email FROM consumers
     WHERE environment_id = ${environmentId}::uuid AND id = ${consumerId} AND deleted_at IS NULL AND contact_email IS NOT NULL
       AND EXISTS (SELECT FROM channels
                    WHERE channels.id = ${channelId}::uuid AND consumer_id = consumers.id AND channels.deleted_at IS NULL)`;
  return row && isBareEmailAddress(row.email) ? row.email : null;
}

const countMails = defineStatement<
  { readonly environmentId: string; readonly email: string },
  { sent: number }
>({
  text: `
    SELECT count(*)::int AS sent FROM message_recipients
     WHERE environment_id = :environmentId::uuid AND ${HAS_ADDRESS} AND operational
       AND id >= ${sinceId(3_600).sql} AND created_at >= now() - interval '1 hour'`,
  parameters: { address: ({ email }) => canonicalAddress(email) },
});

/**
 * How many mails a contact may get now. Transactions that ask wait for each other: the count has what the one before sent. One lock for
 * all contacts, so that two transactions with several contacts cannot deadlock.
 */
export async function readMailsLeft(tx: Queryable, environmentId: string, email: string): Promise<number> {
  await holdLock(tx, 'contactMails');
  const [row] = await countMails(tx, { environmentId, email });
  return MAX_MAILS_PER_HOUR - (row?.sent ?? 0);
}
