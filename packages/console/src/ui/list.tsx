import type { OperationId, Page } from '@postrider/client';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import type { Key } from '../api/keys.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { Empty, ErrorNotice } from './feedback.tsx';
import { bind, submitting, TextField } from './form.tsx';
import { ButtonLink } from './links.tsx';
import { Button, PageHead, TextWithTime } from './parts.tsx';
import type { ButtonLook } from './plain.tsx';
import { type PageQuery, Pages, type PagesProps, usePaged } from './table.tsx';

export { type Columns, PAGE, type PageQuery, Table, usePaged } from './table.tsx';

/** How many pages a search without results reads by itself. */
const MAX_EMPTY_PAGES = 100;

type Searched = Pick<
  UseInfiniteQueryResult<InfiniteData<Page<unknown>>>,
  'data' | 'hasNextPage' | 'isFetching' | 'isError' | 'fetchNextPage'
>;

/** Shown by a search that has found nothing so far. It reads further pages by itself. */
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
      <TextWithTime text=" Searched back to " at={searchedTo} />
      {searchedTo && '.'}
    </Empty>
  );
}

interface PagedTableProps<Item> extends PagesProps<Item> {
  /** The address of the screen of a row. */
  readonly to?: ((item: Item) => string) | undefined;
}

/** A list as a table, with the keys `j`, `k` and Enter if rows can be opened. */
export function PagedTable<Item>({ to, ...props }: PagedTableProps<Item>) {
  const navigate = useNavigate();
  const { list, onOpen = to && ((item: Item) => void navigate({ to: to(item) })) } = props;
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
    <Pages
      {...props}
      onOpen={onOpen}
      ErrorNotice={ErrorNotice}
      isCurrent={(row) => row === item}
      nothingYet={<NothingYet list={list} more="More" />}
    />
  );
}

interface Creation extends ButtonLook {
  readonly label: string;
  readonly operation: OperationId;
  /** A dialog, or the address of a screen, in which it is created. */
  readonly dialog?: ReactNode;
  readonly to?: string;
}

/** The button or link for creating an item. */
function CreateButton({ label, to, dialog, ...look }: Creation) {
  const props = { icon: Plus, variant: 'primary' as const, ...look };
  if (to === undefined)
    return (
      <Button {...props} dialog={dialog}>
        {label}
      </Button>
    );
  return (
    <ButtonLink {...props} to={to}>
      {label}
    </ButtonLink>
  );
}

/** A screen that is a list: its head, what `children` show above the list, and the list. */
export function ListScreen<Item>({
  title,
  about,
  create,
  empty,
  children,
  queryKey,
  read,
  refetchInterval,
  ...table
}: Omit<PagedTableProps<Item>, 'label' | 'empty' | 'list'> & {
  readonly queryKey: Key;
  readonly read: (query: PageQuery) => Promise<Page<Item>>;
  readonly refetchInterval?: number;
  readonly title: string;
  /** The label of the table; the title by default. */
  readonly label?: string;
  readonly about: string;
  readonly create?: Creation;
  /** Undefined for a list that is never empty. */
  readonly empty?: ComponentProps<typeof Empty>;
  readonly children?: ReactNode;
}) {
  const list = usePaged(queryKey, read, { refetchInterval });
  return (
    <>
      <PageHead title={title} about={about}>
        {create && <CreateButton {...create} />}
      </PageHead>
      {children}
      <PagedTable label={title} {...table} list={list} empty={empty && <Empty {...empty} />} />
    </>
  );
}

/** Looks for a text in the list below it. The text is the parameter `param` of the address. */
export function SearchForm({ param, ...field }: ComponentProps<typeof TextField> & { param: string }) {
  const { [param]: sought = '' } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const [shown, setShown] = useState({ sought, text: sought });
  // A link can have changed the address.
  if (shown.sought !== sought) setShown({ sought, text: sought });
  const search = (text: string) =>
    void navigate({ to: '.', search: { [param]: text || undefined }, replace: true });
  return (
    <search>
      <form className="filters" onSubmit={submitting(() => search(shown.text.trim()))}>
        <TextField type="search" {...field} {...bind(shown.text, (text) => setShown({ sought, text }))} />
        <Button type="submit">Find</Button>
        {sought && (
          <Button variant="quiet" onClick={() => search('')}>
            Show all
          </Button>
        )}
      </form>
    </search>
  );
}
