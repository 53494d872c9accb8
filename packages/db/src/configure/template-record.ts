import { type ChannelKind, formatId, formatTime, type JsonObject } from '@postrider/domain';
import type { TemplateVersion as TemplateRow } from '../generated/client.ts';

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
 * A version in a list and in the audit log: its content is not repeated there, because it never changes and can be read
 * by its id.
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

/** A version as the API presents it: contract section 8. */
export function presentTemplate(template: TemplateRecord): JsonObject {
  const { subject, html, text, mjml, body } = template;
  return { ...presentTemplateSummary(template), subject, html, text, mjml, body };
}
