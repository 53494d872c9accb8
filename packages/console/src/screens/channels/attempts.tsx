import type { ConfiguredChannel, PostriderAdmin } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { keys, useEnvironment } from '../../api/index.ts';
import { type Columns, PagedTable, Status, Tag, usePaged } from '../../ui/display.ts';
import { formatDuration } from '../../ui/format.ts';
import { Segmented } from '../../ui/input.ts';
import { Time } from '../../ui/parts.tsx';
import { replyOf } from './health.tsx';

type Attempts = ReturnType<PostriderAdmin['channels']['attempts']>;
type Attempt = Awaited<ReturnType<Attempts['page']>>['data'][number];

const CHOICES = [
  ['', 'All'],
  ['failed', 'Failed'],
  ['succeeded', 'Succeeded'],
  ['unknown', 'Unknown'],
] as const;

const EXCERPT = 120;

/** The newest attempts of a channel: what was sent, and the reply. */
export function ChannelAttempts({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin, screen } = useEnvironment();
  const [status, setStatus] = useState<(typeof CHOICES)[number][0]>('');
  const list = usePaged(keys.channels(environmentId, channel.id, 'attempts', status), (query) =>
    admin.channels.attempts(channel.id).page({ ...query, ...(status && { outcome: status }) }),
  );
  const to = ({ message_id }: Attempt) => screen`/messages/${message_id}`;
  const columns: Columns<Attempt> = {
    Outcome: ({ status: outcome }) => <Status value={outcome} />,
    Reply: (attempt) => {
      const { status: outcome, response, ...error } = attempt;
      const body = response?.body_excerpt?.slice(0, EXCERPT);
      return (
        <span className="stack-none">
          {replyOf({ ...error, outcome, status_code: response?.status_code ?? null })}
          {body && <span className="small muted mono break">{body}</span>}
        </span>
      );
    },
    Event: (attempt) => (
      <span className="row">
        <Link to={to(attempt)}>{attempt.event_key}</Link>
        {attempt.number > 1 && <span className="small muted">attempt {attempt.number}</span>}
        {attempt.replay > 0 && <Tag>replay</Tag>}
        {attempt.test && <Tag>test</Tag>}
      </span>
    ),
    Took: {
      end: ({ duration_ms: ms }) => <span className="number">{ms === null ? '–' : formatDuration(ms)}</span>,
    },
    Time: { end: ({ started_at }) => <Time at={started_at} format="short" /> },
  };
  return (
    <>
      <div className="row-apart">
        <h2>Attempts</h2>
        <Segmented label="Outcome" options={CHOICES} value={status} onChange={setStatus} />
      </div>
      <PagedTable
        label="Attempts"
        list={list}
        columns={columns}
        to={to}
        empty={
          <p className="card-body muted">
            {status ? 'No attempt has this outcome.' : 'Nothing was sent yet. Send a test to see it here.'}
          </p>
        }
      />
    </>
  );
}
