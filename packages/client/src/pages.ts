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

/** The messages of an environment, of which a list can show some fields alone. */
export interface MessageLists<Query, Message> extends PagedList<Query, Message> {
  /** The list with these fields of each message, and no others: small also where payloads are large. */
  pick<Field extends keyof Message & string>(
    fields: readonly Field[],
  ): PagedList<Query, Pick<Message, Field>>;
}

/** Makes the lists of messages of a call that reads one page, in which messages have the fields that were asked for. */
export function messageLists<Query extends { readonly cursor?: string }, Message>(
  read: (
    query: (Query & { fields?: string }) | undefined,
    options: CallOptions | undefined,
  ) => Promise<Page<unknown>>,
): MessageLists<Query, Message> {
  const listOf = <Item>(fields?: readonly string[]) =>
    pagedList<Query, Item>((query, options) => {
      const asked = fields && { fields: fields.join(',') };
      return read({ ...query, ...asked } as Query & { fields?: string }, options) as Promise<Page<Item>>;
    });
  return { ...listOf<Message>(), pick: (fields) => listOf(fields) };
}
