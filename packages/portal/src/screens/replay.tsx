import type { ReplayBatch, ReplayPreview } from '@postrider/client';
import { path } from '@postrider/console/api/path.ts';
import { bind, submitting, TextField, useTask } from '@postrider/console/ui/form.tsx';
import { toLocalInput } from '@postrider/console/ui/moment.ts';
import { Button, Card, Notice, PageHead } from '@postrider/console/ui/plain.tsx';
import { useState } from 'react';
import { usePortal } from '../api/session.ts';
import { useLanguage } from '../ui/i18n.ts';
import { Back, ErrorNotice, useRead } from '../ui/parts.tsx';
import { to } from '../ui/router.ts';
import { EndpointField } from './deliveries.tsx';

const EVERY_MS = 1_000;
const DAY_MS = 86_400_000;
const OPEN = ['pending', 'running'];

function Progress({ id }: { id: string }) {
  const { t, number } = useLanguage();
  const [data, placeholder, { error }] = useRead<ReplayBatch>(['replays', id], path`/api/v1/replays/${id}`, {
    refetchInterval: ({ state }) =>
      !state.error && OPEN.includes(state.data?.status ?? 'pending') && EVERY_MS,
  });
  if (error) return placeholder;
  if (!data || data.status === 'pending') return <Notice title={t.replay.pending} />;
  const done = number(data.replayed);
  if (data.status === 'running') return <Notice title={t.replay.progress(done, number(data.matched))} />;
  if (data.status === 'completed') return <Notice tone="ok" title={t.replay.finished(done)} />;
  return <Notice tone="bad" title={t.replay.stopped} />;
}

/**
 * Replays what failed since a moment: counts first, then starts and shows the progress. One button does both, so that it keeps the
 * focus: it starts the replay if the count found something, and otherwise counts.
 */
export function Replay({ channelId }: { channelId: string }) {
  const { t, number } = useLanguage();
  const { call, consumer, may } = usePortal();
  const [since, setSince] = useState(() => toLocalInput(new Date(Date.now() - DAY_MS).toISOString()));
  const [endpoint, setEndpoint] = useState(channelId);
  const [count, setCount] = useState<ReplayPreview | null>(null);
  const [batchId, setBatchId] = useState<string | null>(null);
  const { busy, error, run } = useTask();
  /** What the count was for: a change makes it wrong. */
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setCount(null);
    setBatchId(null);
  };
  const submit = async () => {
    const filter = {
      consumer: consumer.id,
      run_status: 'failed',
      created_after: new Date(since).toISOString(),
      ...(endpoint && { channel_id: endpoint }),
    };
    const body = { filter, ...(endpoint && { channels: [endpoint] }) };
    if (!count?.matched) {
      setBatchId(null);
      setCount(await call<ReplayPreview>('POST', '/api/v1/replays', { body: { ...body, dry_run: true } }));
    } else {
      setBatchId((await call<ReplayBatch>('POST', '/api/v1/replays', { body })).id);
      setCount(null);
    }
  };
  return (
    <>
      <Back to={to(['deliveries'])}>{t.nav.deliveries}</Back>
      <PageHead title={t.replay.title} about={t.replay.about} />
      <form onSubmit={submitting(() => void run(submit))}>
        <Card
          foot={
            <Button type="submit" variant={count?.matched ? 'primary' : 'default'} busy={busy}>
              {count?.matched ? t.replay.start : t.replay.count}
            </Button>
          }
        >
          <div className="stack">
            <div className="form-row">
              <TextField
                type="datetime-local"
                required
                label={t.replay.since}
                {...bind(since, change(setSince))}
              />
              {may('channels:read') && <EndpointField value={endpoint} onChange={change(setEndpoint)} />}
            </div>
            <div role="status">
              {count && (
                <Notice title={t.replay.counted(number(count.matched), count.matched_is_lower_bound)} />
              )}
              {batchId !== null && <Progress id={batchId} />}
            </div>
            <ErrorNotice error={error} />
          </div>
        </Card>
      </form>
    </>
  );
}
