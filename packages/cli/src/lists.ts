import type { Page, PagedList } from '@postrider/client';
import { type FieldOption, fieldsIn } from './field-options.ts';
import { collect } from './io.ts';
import { type Columns, table } from './output/table.ts';
import type { Session } from './session.ts';

interface ListOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

type PageQuery = { limit?: number; cursor?: string };

/**
 * What a command with the options of a list does: it prints a page of the list, or all of it, as a table or as the API's own page.
 * @param filters the options that become the query
 * @param sourceOf gets the arguments and options of the command
 */
export const listOf =
  <Query extends PageQuery, Item extends object, Args extends unknown[]>(
    { columns, filters = [] }: { readonly columns: Columns; readonly filters?: readonly FieldOption[] },
    sourceOf: (session: Session, ...args: Args) => PagedList<Query, Item>,
  ) =>
  async (session: Session, ...args: unknown[]): Promise<void> => {
    const options = args.at(-1) as ListOptions;
    const { limit = options.all ? 100 : undefined, cursor } = options;
    const query = {
      ...fieldsIn(filters, options),
      ...(limit && { limit }),
      ...(cursor && { cursor }),
    } as Query;
    const source = sourceOf(session, ...(args as Args));
    const page: Page<Item> = options.all
      ? { data: await collect(source.all(query, session.call)), has_more: false, next_cursor: null }
      : await source.page(query, session.call);
    session.show(page, ({ data }, style) => table(columns, data, style));
    if (page.next_cursor !== null) session.note(`There is more: --cursor ${page.next_cursor}, or --all`);
  };
