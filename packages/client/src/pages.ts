import type { CallOptions } from './transport.ts';

/** A page of a list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** How far back a search has looked; null at its end. */
  readonly searched_back_to?: string | null;
}

/** A list of the service that is read in pages. */
export interface PagedList<Query, Item> {
  /** Reads one page. `cursor` in the query is the `next_cursor` of the previous page. */
  page(query?: Query, options?: CallOptions): Promise<Page<Item>>;
  /** Yields every item. Each page is read when the previous one is used up. */
  all(query?: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined>;
}

/** Creates a list from a call that reads one page. */
export function pagedList<Query extends { readonly cursor?: string }, Item>(
  read: (query: Query, options: CallOptions | undefined) => Promise<Page<Item>>,
): PagedList<Query, Item> {
  return {
    page: (query = {} as Query, options) => read(query, options),
    async *all(query, options) {
      let cursor = query?.cursor;
      do {
        const found: Page<Item> = await read({ ...query, ...(cursor && { cursor }) } as Query, options);
        yield* found.data;
        cursor = found.next_cursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}

/** The messages of an environment, with all or only some of their fields. */
export interface MessageLists<Query, Message> extends PagedList<Query, Message> {
  /** The list with only these fields of each message, which is small even if payloads are large. */
  pick<Field extends keyof Message & string>(
    fields: readonly Field[],
  ): PagedList<Query, Pick<Message, Field>>;
}

/** Creates the lists of messages from a call that reads one page of messages with the requested fields. */
export function messageLists<Query extends { readonly cursor?: string }, Message>(
  read: (query: Query & { fields?: string }, options: CallOptions | undefined) => Promise<Page<unknown>>,
): MessageLists<Query, Message> {
  const listOf = <Item>(fields?: readonly string[]) =>
    pagedList<Query, Item>((query, options) => {
      const asked = fields && { fields: fields.join(',') };
      return read({ ...query, ...asked } as Query & { fields?: string }, options) as Promise<Page<Item>>;
    });
  return { ...listOf<Message>(), pick: (fields) => listOf(fields) };
}
