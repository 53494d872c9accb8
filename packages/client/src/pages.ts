import type { CallOptions } from './transport.ts';

/** A page of a list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** A list of the service that is read in pages. */
export interface PagedList<Query, Item> {
  /** One page; `cursor` in the query is the `next_cursor` of the page before. */
  page(query?: Query, options?: CallOptions): Promise<Page<Item>>;
  /** Every item, page after page, each asked for when the one before is used up. */
  all(query?: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined>;
}

/** Makes a list of a call that reads one page. */
export function pagedList<Query extends { readonly cursor?: string }, Item>(
  page: (query: Query | undefined, options: CallOptions | undefined) => Promise<Page<Item>>,
): PagedList<Query, Item> {
  return {
    page,
    async *all(query, options) {
      let cursor = query?.cursor;
      do {
        const found: Page<Item> = await page({ ...query, ...(cursor && { cursor }) } as Query, options);
        yield* found.data;
        cursor = found.next_cursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}
