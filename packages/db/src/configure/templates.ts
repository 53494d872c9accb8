import type { IdSource, JsonObject } from '@postrider/domain';
import { type Database, type Prisma, TRANSACTION_LIMITS } from '../client.ts';

interface CommonTemplateInput {
  readonly environmentId: string;
  readonly eventKey: string;
  /** Whether this version becomes the active one. */
  readonly activate: boolean;
}

export interface EmailTemplateInput extends CommonTemplateInput {
  readonly channelKind: 'email';
  readonly subject: string;
  /** At least one of the two. */
  readonly html: string | null;
  readonly text: string | null;
}

export interface WebhookTemplateInput extends CommonTemplateInput {
  readonly channelKind: 'webhook';
  /** A JSON document whose string leaves are templates. */
  readonly body: JsonObject;
}

export type TemplateInput = EmailTemplateInput | WebhookTemplateInput;

export interface CreatedTemplate {
  readonly id: string;
  readonly version: number;
}

/**
 * Adds an immutable version, numbered from 1 per event key and channel kind, and makes it the active one if
 * asked to.
 */
export async function createTemplateVersion(
  { db, newId }: { db: Database; newId: IdSource },
  { activate, ...input }: TemplateInput,
): Promise<CreatedTemplate> {
  const { environmentId, eventKey, channelKind } = input;
  return db.$transaction(async (tx) => {
    // Versions of one environment are numbered in turn: two at once would both take the same number.
    await tx.$queryRaw`SELECT id FROM environments WHERE id = ${environmentId}::uuid FOR NO KEY UPDATE`;
    const scope = { environmentId, eventKey, channelKind };
    const newest = await tx.templateVersion.aggregate({ where: scope, _max: { version: true } });
    if (activate) {
      await tx.templateVersion.updateMany({ where: { ...scope, active: true }, data: { active: false } });
    }
    const content =
      input.channelKind === 'email'
        ? { subject: input.subject, html: input.html, text: input.text }
        : { body: input.body as Prisma.InputJsonObject };
    return tx.templateVersion.create({
      data: { id: newId(), ...scope, ...content, version: (newest._max.version ?? 0) + 1, active: activate },
      select: { id: true, version: true },
    });
  }, TRANSACTION_LIMITS);
}
