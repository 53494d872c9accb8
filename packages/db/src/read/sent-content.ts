import type {
  AttemptStatus,
  ChannelKind,
  JsonObject,
  JsonValue,
  PinnedPart,
  StoredTemplate,
  TemplateResources,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { readResources } from './part-contents.ts';

/** An attempt with the data from which its content can be rendered again. Ids are UUIDs. */
export interface SentAttempt {
  readonly runId: string;
  readonly environmentId: string;
  readonly number: number;
  readonly status: AttemptStatus;
  readonly errorCode: string | null;
  readonly startedAt: Date;
  readonly responseStatus: number | null;
  readonly responseExcerpt: string | null;
  /** Hexadecimal; null if nothing was sent or recorded. */
  readonly sha256: string | null;
  /** Its sequence within its ordering key; null if the run is not ordered. */
  readonly sequence: number | null;
  readonly exchange: JsonObject | null;
  readonly channel: {
    readonly id: string;
    readonly name: string;
    readonly kind: ChannelKind;
    readonly config: JsonObject;
  };
  readonly message: {
    readonly id: string;
    readonly eventKey: string;
    readonly recipient: JsonObject;
    readonly payload: JsonObject;
    readonly test: boolean;
    readonly operational: boolean | null;
    readonly stream: string | null;
    readonly createdAt: Date;
    readonly erasedAt: Date | null;
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
  const channel = await db.channel.findFirst({ where: { id: run.channelId, environmentId } });
  if (!attempt || !message || !channel) return null;
  const { templateVersionId } = run;
  const template =
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
    channel: {
      id: channel.id,
      name: channel.name,
      kind: channel.kind,
      config: channel.config as JsonObject,
    },
    message: {
      ...message,
      recipient: message.recipient as JsonObject,
      payload: message.payload as JsonObject,
    },
    template: template && {
      ...template,
      body: template.body as JsonValue,
      envelope: template.envelope as JsonValue,
    },
    resources:
      template &&
      (await readResources(
        db,
        environmentId,
        { ...template, parts: template.parts as unknown as PinnedPart[] | null },
        message.recipient as JsonObject,
      )),
  };
}
