import {
  type AttemptStatus,
  type ChannelRecord,
  type JsonObject,
  type JsonValue,
  matchesEvent,
  type PinnedPart,
  type StoredTemplate,
  TEST_EVENT_KEY,
  type TemplateResources,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Attempt, Message, TemplateVersion } from '../generated/client.ts';
import { messagesFor } from './filter-trial.ts';
import { readResources } from './part-contents.ts';

/** An attempt with the data from which its content can be rendered again. Ids are UUIDs. */
export interface SentAttempt
  extends Pick<Attempt, 'number' | 'errorCode' | 'startedAt' | 'responseStatus' | 'responseExcerpt'> {
  readonly runId: string;
  readonly environmentId: string;
  readonly status: AttemptStatus;
  /** Hexadecimal; null if nothing was sent or recorded. */
  readonly sha256: string | null;
  /** Its sequence within its ordering key; null if the run is not ordered. */
  readonly sequence: number | null;
  readonly exchange: JsonObject | null;
  readonly channel: Pick<ChannelRecord, 'id' | 'name' | 'kind' | 'config'>;
  readonly message: Pick<
    Message,
    'id' | 'eventKey' | 'test' | 'operational' | 'stream' | 'createdAt' | 'erasedAt'
  > & {
    readonly recipient: JsonObject;
    readonly payload: JsonObject;
  };
  readonly template: StoredTemplate | null;
  /** The resources of the template; null if they are the default. */
  readonly resources: TemplateResources | null;
}

/** An attempt of a run; with a null number the newest. Null if there is no such run or attempt. */
export async function readSentAttempt(
  db: Queryable,
  asked: { readonly environmentId: string; readonly runId: string; readonly number: number | null },
): Promise<SentAttempt | null> {
  const { environmentId, runId, number } = asked;
  const run = await db.deliveryRun.findFirst({ where: { id: runId, environmentId } });
  if (!run) return null;
  const attempt = await db.attempt.findFirst({
    where: { runId, ...(number === null ? {} : { number }) },
    orderBy: { number: 'desc' },
  });
  const id = run.messageId;
  const message = await db.message.findFirst({ where: { environmentId, id } });
  const channel = await db.channel.findFirst({
    where: { id: run.channelId, environmentId },
    select: { id: true, name: true, kind: true, config: true },
  });
  if (!attempt || !message || !channel) return null;
  const { templateVersionId } = run;
  const row =
    templateVersionId === null
      ? null
      : await db.templateVersion.findFirst({ where: { id: templateVersionId, environmentId } });
  return {
    runId,
    environmentId,
    number: attempt.number,
    status: attempt.status as AttemptStatus,
    errorCode: attempt.errorCode,
    startedAt: attempt.startedAt,
    responseStatus: attempt.responseStatus,
    responseExcerpt: attempt.responseExcerpt,
    sha256: attempt.contentSha256 && Buffer.from(attempt.contentSha256).toString('hex'),
    exchange: attempt.exchange as JsonObject | null,
    sequence: run.sequence === null ? null : Number(run.sequence),
    channel: channel as SentAttempt['channel'],
    message: message as SentAttempt['message'],
    ...(await withResources(db, row, message.recipient as JsonObject)),
  };
}

/** A version of a template, with the resources with which it is rendered for a recipient. */
async function withResources(
  db: Queryable,
  row: TemplateVersion | null,
  recipient: JsonObject,
): Promise<Pick<SentAttempt, 'template' | 'resources'>> {
  if (!row) return { template: null, resources: null };
  const parts = row.parts as unknown as PinnedPart[] | null;
  return {
    template: { ...row, body: row.body as JsonValue, envelope: row.envelope as JsonValue },
    resources: await readResources(db, row.environmentId, { ...row, parts }, recipient),
  };
}

/** The newest messages that are searched for one to preview. */
const PREVIEW_MESSAGES = 200;
/** How many of those that the channel takes are measured. */
const MAX_CANDIDATES = 20;
/** The most bytes of its recipient and payload. */
const MAX_PREVIEW_BYTES = 128 * 1024;

/** What a channel would send: the newest message that it takes by its event keys, and what that is rendered with. */
interface Previewed extends Pick<SentAttempt, 'template' | 'resources'> {
  /** Null: there is none, and the template is that of a test. */
  readonly message: Omit<SentAttempt['message'], 'test' | 'operational' | 'erasedAt'> | null;
}

/** Finds what a channel would send now. Larger messages are left out. */
export async function readPreviewedMessage(
  db: Queryable,
  channel: Pick<ChannelRecord, 'environmentId' | 'consumerId' | 'eventKeys' | 'kind'>,
): Promise<Previewed> {
  const { environmentId, eventKeys, kind: channelKind } = channel;
  const newest = await db.message.findMany({
    where: await messagesFor(db, channel),
    select: { id: true, eventKey: true },
    orderBy: { id: 'desc' },
    take: PREVIEW_MESSAGES,
  });
  const taken = newest
    .flatMap(({ id, eventKey }) => (matchesEvent(eventKeys, eventKey) ? [id] : []))
    .slice(0, MAX_CANDIDATES);
  const [message = null] = await db.$queryRaw<Exclude<Previewed['message'], null>[]>`
    SELECT id, event_key AS "eventKey", recipient, payload, stream, created_at AS "createdAt" FROM messages
     WHERE environment_id = ${environmentId}::uuid AND id = ANY (${taken}::uuid[])
       AND octet_length(recipient::text) + octet_length(payload::text) <= ${MAX_PREVIEW_BYTES}::int
     ORDER BY id DESC LIMIT 1`;
  const eventKey = message?.eventKey ?? TEST_EVENT_KEY;
  const row = await db.templateVersion.findFirst({
    where: { environmentId, eventKey, channelKind, active: true },
  });
  return { message, ...(await withResources(db, row, message?.recipient ?? {})) };
}
