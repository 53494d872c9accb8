import type { Page } from '@postrider/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Key } from '../api/keys.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { ErrorNotice } from './feedback.tsx';
import { Button, Loading } from './parts.tsx';

const PAGE = 50;

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** A list of the service, loaded page by page. */
export function usePaged<Item>(
  key: Key,
  read: (query: PageQuery) => Promise<Page<Item>>,
  { refetchInterval = false as number | false } = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: ({ pageParam }) => read({ limit: PAGE, ...(pageParam && { cursor: pageParam }) }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // Only the first page: a reader of later ones would wait for all of them.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refetchInterval),
  });
  return { ...query, rows: query.data?.pages.flatMap(({ data }) => data) };
}

export interface Column<Item> {
  readonly name: string;
  readonly cell: (item: Item) => ReactNode;
  readonly isEnd?: boolean;
}

interface TableProps<Item> {
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item, index: number) => string;
  /** Shows each row as a card on a phone, instead of scrolling sideways. */
  readonly stacks?: boolean;
  /** Called for a click on a row. */
  readonly onOpen?: ((item: Item) => void) | undefined;
}

/** Rows as a table, which scrolls within the page. */
export function Table<Item>({
  label,
  rows,
  columns,
  keyOf,
  onOpen,
  stacks = false,
  isCurrent = () => false,
}: TableProps<Item> & { readonly rows: readonly Item[]; readonly isCurrent?: (item: Item) => boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-wrap" tabIndex={0} aria-label={`${label}, table`}>
      <table className={stacks ? 'table stacks' : 'table'} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isEnd }) => (
              <th key={name} scope="col" className={isEnd ? 'end' : undefined}>
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
              {columns.map(({ name, cell, isEnd }) => (
                <td key={name} data-label={name} className={isEnd ? 'end' : undefined}>
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

interface PagedTableProps<Item> extends TableProps<Item> {
  readonly list: ReturnType<typeof usePaged<Item>>;
  readonly empty: ReactNode;
}

/** A list as a table, with the keys `j`, `k` and Enter if rows can be opened. */
export function PagedTable<Item>({ list, empty, ...table }: PagedTableProps<Item>) {
  const { label, onOpen } = table;
  const { rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const [current, setCurrent] = useState(-1);
  const count = rows?.length ?? 0;
  const item = rows?.[current];
  useShortcuts(
    onOpen
      ? {
          j: () => setCurrent(Math.min(count - 1, current + 1)),
          k: () => setCurrent(Math.max(0, current - 1)),
          Enter: item ? () => onOpen(item) : undefined,
        }
      : {},
  );
  if (error && !rows) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!rows) return <Loading />;
  if (rows.length === 0 && !hasNextPage) return <section className="card">{empty}</section>;
  return (
    <section className="card" aria-label={label}>
      <Table {...table} rows={rows} isCurrent={(row) => row === item} />
      {hasNextPage && (
        <div className="card-foot">
          <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            More
          </Button>
        </div>
      )}
    </section>
  );
}
