import type { Page } from '@postrider/client';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowUp, History, Rows2, Rows3, Send } from 'lucide-react';
import { useMemo, useState } from 'react';
import { keys, type MessageRow, useEnvironment } from '../../api/index.ts';
import { changeSettings, useSettings } from '../../app/settings.ts';
import { ButtonLink, Empty, ErrorNotice, MaskedNote, NothingYet, PAGE, usePaged } from '../../ui/display.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Freshness, LostNotice } from '../../ui/live.tsx';
import { Button, Loading, PageHead } from '../../ui/parts.tsx';
import { FilterBar, type Filters, filtersOf, toQuery } from './filters.tsx';
import { useLive } from './live.ts';
import { MessageTable } from './table.tsx';

type Pages = InfiniteData<Page<MessageRow>, string>;

/** The messages of an environment, newest first. */
export function Screen() {
  const { environmentId, scope, screen } = useEnvironment();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { density } = useSettings();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const filters = useMemo(() => filtersOf(search, scope.isOperator), [search, scope.isOperator]);
  const key = keys.messages(environmentId, filters);
  const [current, setCurrent] = useState<string | null>(search.at ?? null);

  const list = usePaged(key, (query, call) => scope.rows({ ...toQuery(filters), ...query }, call), {
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const { rows } = list;

  const replace = (row: MessageRow) =>
    client.setQueryData<Pages>(
      key,
      (old) =>
        old && {
          ...old,
          pages: old.pages.map((page) => ({
            ...page,
            data: page.data.map((each) => (each.id === row.id ? { ...each, ...row } : each)),
          })),
        },
    );
  const live = useLive(
    scope,
    async () => (await scope.rows({ ...toQuery(filters), limit: PAGE })).data,
    rows,
    replace,
  );
  const showFresh = () => {
    live.clear();
    void client.resetQueries({ queryKey: key });
  };
  const change = (next: Filters) => {
    live.clear();
    void navigate({ to: '.', search: next, replace: true });
  };
  const open = (row: MessageRow) => void navigate({ to: screen`/messages/${row.id}`, search: filters });

  return (
    <>
      <PageHead title="Messages" about="All accepted events and their outcomes, newest first.">
        <Button
          variant="quiet"
          iconOnly
          icon={density === 'compact' ? Rows3 : Rows2}
          onClick={() => changeSettings({ density: density === 'compact' ? 'comfortable' : 'compact' })}
        >
          {density === 'compact' ? 'Rows: compact' : 'Rows: comfortable'}
        </Button>
        {scope.isOperator && Object.keys(filters).length > 0 && (
          <ButtonLink operation="createReplayBatch" to={screen`/replays`} search={filters} icon={History}>
            Replay these
          </ButtonLink>
        )}
        <ButtonLink operation="createEnvironmentEvent" to={screen`/send`} icon={Send}>
          Send an event
        </ButtonLink>
      </PageHead>
      <MaskedNote />
      <FilterBar key={JSON.stringify(filters)} filters={filters} onChange={change} />
      <LostNotice connection={live.connection} at={list.dataUpdatedAt} />
      <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      <section className="card" aria-label="Messages">
        {list.isPending && <Loading rows={8} />}
        {rows && rows.length > 0 && (
          <MessageTable
            rows={rows}
            density={density}
            current={current}
            onCurrent={setCurrent}
            onOpen={open}
            onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
            top={
              live.fresh.length > 0 && (
                <Button variant="primary" small icon={ArrowUp} className="new-button" onClick={showFresh}>
                  {`${live.fresh.length}${live.fresh.length === PAGE ? '+' : ''} new`}
                </Button>
              )
            }
          />
        )}
        {rows && rows.length === 0 && !list.hasNextPage && <Nothing filters={filters} />}
        {rows && rows.length === 0 && list.hasNextPage && <NothingYet list={list} more="Older messages" />}
        {rows && rows.length === 0 && live.fresh.length > 0 && (
          <div className="card-foot">
            <Button variant="primary" icon={ArrowUp} onClick={showFresh}>{`${live.fresh.length} new`}</Button>
          </div>
        )}
        {rows && (
          <div className="card-foot">
            <span className="small muted grow" role="status">
              {rows.length} {rows.length === 1 ? 'message' : 'messages'}
              {list.hasNextPage &&
                rows.length > 0 &&
                `, back to ${formatDateTime(rows.at(-1)?.created_at ?? '')}`}
              {' · '}
              <Freshness connection={live.connection} at={list.dataUpdatedAt} />
            </span>
            {list.hasNextPage && (
              <Button small busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Older messages
              </Button>
            )}
          </div>
        )}
      </section>
    </>
  );
}

function Nothing({ filters }: { filters: Filters }) {
  const { screen } = useEnvironment();
  if (Object.keys(filters).length > 0)
    return <Empty title="No message matches">Remove a filter, or check the spelling of the address.</Empty>;
  return (
    <Empty
      title="No event has been accepted yet"
      command={
        'npm run postrider -- events send --event-key order.shipped --to ada@example.com --payload \'{"order_id":"A-1001"}\''
      }
      action={
        <ButtonLink operation="createEnvironmentEvent" to={screen`/send`} variant="primary" icon={Send}>
          Send an event
        </ButtonLink>
      }
    >
      Send one from here, or paste the command into a terminal.
    </Empty>
  );
}
