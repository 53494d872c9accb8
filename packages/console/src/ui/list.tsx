import type { Page } from '@postrider/client';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { Empty, ErrorNotice } from './feedback.tsx';
import { Time } from './parts.tsx';
import { type PagedTableProps, PagedTable as PlainPagedTable } from './table.tsx';

export { type Column, Table, usePaged } from './table.tsx';

/** A search that has found nothing continues by itself for at most so many pages. */
const MAX_EMPTY_PAGES = 100;

type Searched = Pick<
  UseInfiniteQueryResult<InfiniteData<Page<unknown>>>,
  'data' | 'hasNextPage' | 'isFetching' | 'isError' | 'fetchNextPage'
>;

/** What a search shows that has found nothing on the pages so far. It reads further pages by itself. */
export function NothingYet({ list, more }: { list: Searched; more: string }) {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const pages = data?.pages ?? [];
  const isSearching = hasNextPage && pages.length < MAX_EMPTY_PAGES && !isError;
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  const searchedTo = pages.at(-1)?.searched_back_to;
  return (
    <Empty title={isSearching ? 'Still searching' : 'Nothing found so far'}>
      {isSearching
        ? 'It looks further back until something is found.'
        : `Choose “${more}” to search further back.`}
      {searchedTo && (
        <>
          {' Searched back to '}
          <Time at={searchedTo} />.
        </>
      )}
    </Empty>
  );
}

/** A list as a table, with the keys `j`, `k` and Enter if rows can be opened. */
export function PagedTable<Item>(props: PagedTableProps<Item>) {
  const { list, onOpen } = props;
  const [current, setCurrent] = useState(-1);
  const item = list.rows?.[current];
  useShortcuts(
    onOpen
      ? {
          j: () => setCurrent(Math.min((list.rows?.length ?? 0) - 1, current + 1)),
          k: () => setCurrent(Math.max(0, current - 1)),
          Enter: item ? () => onOpen(item) : undefined,
        }
      : {},
  );
  return (
    <PlainPagedTable
      {...props}
      ErrorNotice={ErrorNotice}
      isCurrent={(row) => row === item}
      nothingYet={<NothingYet list={list} more="More" />}
    />
  );
}
