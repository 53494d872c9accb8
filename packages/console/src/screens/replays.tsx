import type { ReplayBatch, ReplayPreview } from '@postrider/client';
import { useSearch } from '@tanstack/react-router';
import { CircleStop, History, Play } from 'lucide-react';
import { useState } from 'react';
import { keys, useEnvironment } from '../api/index.ts';
import { ErrorNotice, ListScreen, Notice, Status } from '../ui/display.ts';
import { formatNumber } from '../ui/format.ts';
import { bind, Change, ChangeButton, Target, TextField, useTask } from '../ui/input.ts';
import { Button, Card, May, Time } from '../ui/parts.tsx';
import { FilterBar, type Filters, filtersOf, filterText, toQuery } from './messages/filters.tsx';

const DEFAULT_PACE = '50';
const isOver = ({ status }: ReplayBatch) => ['completed', 'cancelled', 'failed'].includes(status);

function Progress({ batch }: { batch: ReplayBatch }) {
  const { matched, replayed, id } = batch;
  const skipped = Object.values(batch.skipped).reduce((sum, each) => sum + each, 0);
  const done = replayed + skipped;
  return (
    <div className="row nowrap">
      <progress value={done} max={Math.max(matched, done, 1)} aria-label={`Progress of ${id}`} />
      <span className="number small">
        {formatNumber(replayed)} of {formatNumber(matched)}
        {batch.matched_is_lower_bound && '+'}
        {skipped > 0 && `, ${formatNumber(skipped)} skipped`}
      </span>
    </div>
  );
}

/** Chooses messages, at first those of the filters in the address, counts them, and replays them. */
function NewReplay() {
  const { environmentId, admin } = useEnvironment();
  const asked = filtersOf(useSearch({ strict: false }), true);
  const [filters, setFilters] = useState<Filters>(
    Object.keys(asked).length > 0 ? asked : { run_status: 'failed' },
  );
  const [pace, setPace] = useState(DEFAULT_PACE);
  const filter = Object.fromEntries(Object.entries(toQuery(filters)).filter(([, value]) => value));
  const count = useTask<ReplayPreview>();
  const start = async () => {
    await admin.replays.create(environmentId, { filter, messages_per_second: Number(pace) });
    count.reset();
  };
  const question = (
    <Change
      danger={false}
      title="Replay these messages"
      action="Start the replay"
      change={start}
      shownIn={[keys.replays(environmentId)]}
      done="The replay continues in the background."
    >
      <p>
        {formatNumber(count.data?.matched ?? 0)} messages are delivered again, at {pace} per second, with the
        current channels and templates: <strong className="break">{filterText(filter)}</strong>
      </p>
    </Change>
  );
  return (
    <Card
      title="New bulk replay"
      foot={
        <>
          <Button
            busy={count.busy}
            onClick={() => void count.run(() => admin.replays.count(environmentId, { filter }))}
          >
            Count the messages
          </Button>
          <Button
            variant="primary"
            icon={Play}
            disabled={!count.data || count.data.matched === 0}
            dialog={question}
          >
            Replay
          </Button>
        </>
      }
    >
      <div className="stack">
        <Target />
        <FilterBar
          filters={filters}
          onChange={(next) => {
            setFilters(next);
            count.reset();
          }}
        />
        <div className="filters">
          <TextField label="Messages per second" type="number" min={1} max={500} {...bind(pace, setPace)} />
        </div>
        <ErrorNotice error={count.error} />
        {count.data && (
          <Notice
            title={`${count.data.matched_is_lower_bound ? 'At least ' : ''}${formatNumber(count.data.matched)} ${count.data.matched === 1 ? 'message matches' : 'messages match'}.`}
          >
            <p>Nothing has been replayed yet. Each replayed message counts one event against the quota.</p>
          </Notice>
        )}
      </div>
    </Card>
  );
}

/** Replays of many messages: dry run, progress, stop. */
export function Screen() {
  const { environmentId, admin } = useEnvironment();
  return (
    <ListScreen
      title="Bulk replay"
      label="Bulk replays"
      about="Delivers all messages that match a filter again, at a pace that you choose."
      queryKey={keys.replays(environmentId)}
      read={(query) => admin.replays.of(environmentId).page(query)}
      refetchInterval={3_000}
      columns={{
        Status: ({ status, reason }) => <Status value={status} title={reason ?? undefined} />,
        Messages: (batch) => <Progress batch={batch} />,
        Filter: ({ filter }) => <span className="break">{filterText(filter)}</span>,
        Reason: ({ reason, last_error_code }) => <code>{reason ?? last_error_code ?? '–'}</code>,
        Started: { end: ({ created_at }) => <Time at={created_at} format="short" /> },
      }}
      actions={(batch) =>
        !isOver(batch) && (
          <ChangeButton
            small
            label="Stop"
            of="the replay"
            icon={CircleStop}
            operation="cancelReplayBatch"
            action="Stop"
            change={() => admin.replays.cancel(batch.id)}
            shownIn={[keys.replays(environmentId)]}
            done="The replay is stopped."
          >
            <p>No further message is replayed. Existing deliveries continue.</p>
          </ChangeButton>
        )
      }
      empty={{
        icon: History,
        title: 'Nothing has been replayed yet',
        command: `npm run postrider -- replays create --environment ${environmentId} --run-status failed --dry-run`,
        children: 'After an outage of a receiver, replay what failed.',
      }}
    >
      <May operation="createReplayBatch">
        <NewReplay />
      </May>
    </ListScreen>
  );
}
