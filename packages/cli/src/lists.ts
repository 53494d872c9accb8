import type { Page, PagedList } from '@postrider/client';
import type { Command } from 'commander';
import { type Columns, table } from './output/table.ts';
import type { Session } from './session.ts';
import { wholeNumber } from './values.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

/** Adds the options of every list. */
export function listOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'items of a page, at most 100 (25)', wholeNumber)
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--all', 'all pages');
}

export type PageQuery = { limit?: number; cursor?: string };

async function readAll<Query, Item>(
  source: PagedList<Query, Item>,
  query: Query,
  session: Session,
): Promise<Page<Item>> {
  const data: Item[] = [];
  for await (const item of source.all(query, session.call)) data.push(item);
  return { data, has_more: false, next_cursor: null };
}

/** Prints a page of a list, or all of it, as a table or as the API's own page. */
export async function showList<Query extends PageQuery, Item extends object>(
  session: Session,
  source: PagedList<Query, Item>,
  {
    columns,
    filters,
    options,
  }: { columns: Columns; filters: Omit<Query, keyof PageQuery>; options: ListOptions },
): Promise<void> {
  const { limit = options.all ? 100 : undefined, cursor } = options;
  const query = { ...filters, ...(limit && { limit }), ...(cursor && { cursor }) } as Query;
  const page = options.all ? await readAll(source, query, session) : await source.page(query, session.call);
  session.show(page, ({ data }, style) => table(columns, data, style));
  if (page.next_cursor !== null) session.note(`There is more: --cursor ${page.next_cursor}, or --all`);
}
