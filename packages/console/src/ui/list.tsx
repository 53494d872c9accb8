import { useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { ErrorNotice } from './feedback.tsx';
import { type PagedTableProps, PagedTable as PlainPagedTable } from './table.tsx';

export { type Column, Table, usePaged } from './table.tsx';

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
  return <PlainPagedTable {...props} ErrorNotice={ErrorNotice} isCurrent={(row) => row === item} />;
}
