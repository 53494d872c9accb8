/** Tables and paged lists: the portal uses them, too. */
import type { Page } from '@postrider/client';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useContext } from 'react';
import { Button, Loading, PartTextsContext } from './plain.tsx';

export const PAGE = 50;

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

interface PagedOptions {
  readonly refetchInterval?: number | false | undefined;
  readonly staleTime?: number;
  readonly refetchOnWindowFocus?: boolean;
}

/** A list of the service, loaded page by page. A read that nobody waits for any more is ended. */
export function usePaged<Item>(
  key: QueryKey,
  read: (query: PageQuery, call: { readonly signal: AbortSignal }) => Promise<Page<Item>>,
  { refetchInterval = false, ...options }: PagedOptions = {},
) {
  const query = useInfiniteQuery({
    ...options,
    queryKey: key,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      read({ limit: PAGE, ...(pageParam && { cursor: pageParam }) }, { signal }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // Only the first page: a reader of later ones would wait for all of them.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refetchInterval),
  });
  return { ...query, rows: query.data?.pages.flatMap(({ data }) => data) };
}

type Cell<Item> = (item: Item) => ReactNode;

/** Cells by column name; `end` aligns to the right. */
export type Columns<Item> = Readonly<Record<string, Cell<Item> | { readonly end: Cell<Item> }>>;

interface TableProps<Item> {
  readonly label: string;
  readonly columns: Columns<Item>;
  /** What is in the last column. */
  readonly actions?: Cell<Item>;
  /** By default the id of an item. */
  readonly keyOf?: (item: Item, index: number) => string;
  /** Called for a click on a row. */
  readonly onOpen?: ((item: Item) => void) | undefined;
}

/** Rows as a table, and on a phone each as a card. */
export function Table<Item>({
  label,
  rows,
  columns,
  actions,
  keyOf = (item) => (item as { readonly id: string }).id,
  onOpen,
  isCurrent = () => false,
}: TableProps<Item> & { readonly rows: readonly Item[]; readonly isCurrent?: (item: Item) => boolean }) {
  const all: Columns<Item> = { ...columns, ...(actions && { Actions: { end: actions } }) };
  const cells = Object.entries(all).map(([name, cell]) =>
    typeof cell === 'function' ? { name, cell } : { name, cell: cell.end, className: 'end' },
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-wrap" tabIndex={0} aria-label={label}>
      <table className="table stacks" aria-label={label}>
        <thead>
          <tr>
            {cells.map(({ name, className }) => (
              <th key={name} scope="col" className={className}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row, index)}
              className={`${onOpen ? 'clickable' : ''} ${isCurrent(row) ? 'current' : ''}`}
              aria-current={isCurrent(row) ? 'true' : undefined}
              onClick={onOpen && ((event) => !(event.target as Element).closest('a, button') && onOpen(row))}
            >
              {cells.map(({ name, cell, className }) => (
                <td key={name} data-label={name} className={className}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export interface PagesProps<Item> extends TableProps<Item> {
  readonly list: ReturnType<typeof usePaged<Item>>;
  readonly empty: ReactNode;
}

/** A list as a table, with a button for the next page. */
export function Pages<Item>({
  list,
  empty,
  nothingYet,
  ErrorNotice,
  ...table
}: PagesProps<Item> & {
  readonly isCurrent?: (item: Item) => boolean;
  /** Instead of the table while the pages so far are empty. */
  readonly nothingYet?: ReactNode;
  readonly ErrorNotice: ComponentType<{ error: unknown; onRetry: () => void }>;
}) {
  const { more } = useContext(PartTextsContext);
  const { rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  if (error && !rows) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!rows) return <Loading />;
  if (rows.length === 0 && !hasNextPage) return <section className="card">{empty}</section>;
  return (
    <div className="card">
      {rows.length === 0 && nothingYet ? (
        <section aria-label={table.label}>{nothingYet}</section>
      ) : (
        <Table {...table} rows={rows} />
      )}
      {hasNextPage && (
        <div className="card-foot">
          <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {more}
          </Button>
        </div>
      )}
    </div>
  );
}
