import { type ChannelKind, formatId, formatTime, type JsonObject } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { TemplateVersion as TemplateRow } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from './change.ts';

/** Which version it is, and of what. Ids are UUIDs. */
export interface TemplateSummary {
  readonly id: string;
  readonly environmentId: string;
  readonly eventKey: string;
  readonly channelKind: ChannelKind;
  readonly version: number;
  readonly active: boolean;
  readonly createdAt: Date;
}

/** A version with its content, which is that of its kind: the fields of the other are null. */
export interface TemplateRecord extends TemplateSummary {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /** What `html` was compiled from, where that was MJML. */
  readonly mjml: string | null;
  readonly body: JsonObject | null;
}

export interface TemplateFilter {
  readonly eventKey?: string | undefined;
  readonly channelKind?: ChannelKind | undefined;
  readonly active?: boolean | undefined;
}

/** What is read of a version that is listed: contents can have 256 KiB each. */
export const SUMMARY_COLUMNS = {
  id: true,
  environmentId: true,
  eventKey: true,
  channelKind: true,
  version: true,
  active: true,
  createdAt: true,
} as const;

type SummaryRow = Pick<TemplateRow, keyof typeof SUMMARY_COLUMNS>;

export const toSummary = (row: SummaryRow): TemplateSummary => ({
  ...row,
  channelKind: row.channelKind as ChannelKind,
});

export const toRecord = (row: TemplateRow): TemplateRecord => ({
  ...row,
  channelKind: row.channelKind as ChannelKind,
  body: row.body as JsonObject | null,
});

/**
 * A version in a list and in the audit log: its content is not repeated there, because it never changes and
 * can be read by its id.
 */
export function presentTemplateSummary(template: TemplateSummary): JsonObject {
  return {
    id: formatId('tpl', template.id),
    environment_id: formatId('env', template.environmentId),
    event_key: template.eventKey,
    channel_kind: template.channelKind,
    version: template.version,
    active: template.active,
    created_at: formatTime(template.createdAt),
  };
}

/** A version as the API presents it: docs/specification.md, "Template versions". */
export function presentTemplate(template: TemplateRecord): JsonObject {
  const { subject, html, text, mjml, body } = template;
  return { ...presentTemplateSummary(template), subject, html, text, mjml, body };
}

/** The version of this UUID, or null. */
export async function readTemplate(db: Queryable, id: string): Promise<TemplateRecord | null> {
  const row = await db.templateVersion.findUnique({ where: { id } });
  return row && toRecord(row);
}

/** An environment's versions, newest first, without their contents. */
export async function listTemplates(
  db: Queryable,
  {
    environmentId,
    filter,
    after,
    limit,
  }: PageRequest & { readonly environmentId: string; readonly filter: TemplateFilter },
): Promise<Page<TemplateSummary>> {
  const { eventKey, channelKind, active } = filter;
  const rows = await db.templateVersion.findMany({
    where: {
      environmentId,
      ...(eventKey === undefined ? {} : { eventKey }),
      ...(channelKind === undefined ? {} : { channelKind }),
      ...(active === undefined ? {} : { active }),
      ...(after === null ? {} : { id: { lt: after } }),
    },
    select: SUMMARY_COLUMNS,
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  return pageOf(rows.map(toSummary), limit, ({ id }) => id);
}
