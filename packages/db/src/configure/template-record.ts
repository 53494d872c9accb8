import type { ChannelKind, JsonObject, TemplateRecord, TemplateSummary } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { TemplateVersion as TemplateRow } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from './change.ts';

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
