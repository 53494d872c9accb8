import type { ConfiguredChannel } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DAY_MS, keys, useEnvironment } from '../../api/index.ts';
import { ErrorNotice, Notice, useRead } from '../../ui/display.ts';
import { formatNumber, fromLocalInput, toLocalInput } from '../../ui/format.ts';
import { bind, Change, TextField } from '../../ui/input.ts';
import { Dialog } from '../../ui/overlays.tsx';
import { Loading } from '../../ui/parts.tsx';

const MINUTE_MS = 60_000;

/** The minute at which the failures began, or the last 24 hours. A pause begins after the failures that led to it. */
const firstOf = ({ state, health }: ConfiguredChannel) => {
  const known = [state.since, health.failing_since].flatMap((at) => (at === null ? [] : Date.parse(at)));
  const from = known.length === 0 ? Date.now() - DAY_MS : Math.min(...known) - MINUTE_MS;
  return toLocalInput(new Date(from).toISOString());
};

/** Replays what failed on a channel since a moment: it is counted first. */
export function Recover({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin, screen } = useEnvironment();
  const [since, setSince] = useState(() => firstOf(channel));
  const run_ended_after = fromLocalInput(since);
  const batch = {
    filter: {
      channel_id: channel.id,
      run_status: 'failed' as const,
      ...(run_ended_after && { run_ended_after }),
    },
    channels: [channel.id],
  };
  const [count, , { error }] = useRead(
    keys.replays(environmentId, 'count', channel.id, run_ended_after),
    () => admin.replays.count(environmentId, batch),
    { enabled: run_ended_after !== undefined },
  );
  const counted = count && `${formatNumber(count.matched)}${count.matched_is_lower_bound ? ' or more' : ''}`;
  const title = `Recover what failed on ${channel.name}`;
  const started = () => (
    <Dialog title={title} close="Close">
      <Notice tone="ok" title="The failed deliveries are sent again.">
        <p>
          <Link to={screen`/replays`}>Follow it in Bulk replay</Link>
        </p>
      </Notice>
    </Dialog>
  );
  return (
    <Change
      danger={false}
      title={title}
      action={count?.matched ? `Send ${counted} again` : 'Send again'}
      disabled={!count?.matched}
      change={() => admin.replays.create(environmentId, batch)}
      shownIn={[keys.replays(environmentId)]}
      after={started}
    >
      <TextField
        label="Failed since"
        type="datetime-local"
        required
        hint="By the time at which the delivery failed for good, whenever its event was accepted."
        {...bind(since, setSince)}
      />
      <div role="status">
        {!count && !error && <Loading rows={1} label="Counting" />}
        {count?.matched === 0 && (
          <p>Nothing failed permanently since then. What is retried needs no recovery.</p>
        )}
        {Boolean(count?.matched) && (
          <p>
            {counted} messages have a delivery that failed here. They go to this channel only
            {channel.state.code === 'paused' && ', and wait until it is resumed'}.
          </p>
        )}
      </div>
      <ErrorNotice error={error} />
    </Change>
  );
}
