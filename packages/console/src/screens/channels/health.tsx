import type { ConfiguredChannel } from '@postrider/client';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useAdmin } from '../../api/session.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { Change } from '../../ui/change.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Button, Card, Facts, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';

/** Descriptions of why a channel is failing or paused. */
export const HEALTH_REASONS: Readonly<Record<string, string>> = {
  failures: 'only failures',
  timeouts: 'only timeouts',
  gone: 'the endpoint responded with 410 Gone',
  receiver: 'the receiver asked for it (webhook-delivery: pause)',
  manual: 'an operator paused it',
};

/** A channel's state: `disabled`, or its health if it is enabled. */
export const stateOf = ({ enabled, health }: ConfiguredChannel): string =>
  enabled ? (health.state === 'ok' ? 'enabled' : health.state) : 'disabled';

const timeOr = (at: string | null, none: string) => (at ? <Time at={at} /> : none);

/** The health of a channel, its held runs, and the buttons to pause and resume it. */
export function ChannelHealth({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const [isAsking, setAsking] = useState(false);
  const { health } = channel;
  const isPaused = health.state === 'paused';
  return (
    <Card
      title="Health"
      actions={
        <Button
          small
          icon={isPaused ? Play : Pause}
          operation={isPaused ? 'resumeChannel' : 'pauseChannel'}
          onClick={() => setAsking(true)}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      }
    >
      <div className="stack">
        <Facts
          items={[
            ['State', <Status key="s" value={health.state} />],
            health.reason && ['Because', HEALTH_REASONS[health.reason] ?? health.reason],
            health.failing_since !== null && [
              health.state === 'ok' ? 'Only failures since' : 'Failing since',
              <Time key="f" at={health.failing_since} />,
            ],
            ['Last success', timeOr(health.last_success_at, 'none yet')],
            isPaused && [
              'Next probe',
              timeOr(health.next_probe_at, 'none: it waits until someone resumes it'),
            ],
            (isPaused || health.waiting > 0) && ['Waiting deliveries', formatNumber(health.waiting)],
          ]}
        />
        {isPaused && (
          <Notice tone="warn" title="Deliveries to this channel wait.">
            <p>
              It still receives events. Deliveries that have waited too long (<code>max_age</code>) expire.
            </p>
          </Notice>
        )}
      </div>
      {isAsking && (
        <Change
          danger={!isPaused}
          onClose={() => setAsking(false)}
          title={`${isPaused ? 'Resume' : 'Pause'} ${channel.name}`}
          action={isPaused ? 'Resume the channel' : 'Pause the channel'}
          target={<Target />}
          change={() => (isPaused ? admin.channels.resume(channel.id) : admin.channels.pause(channel.id))}
          shownIn={[['channels', environmentId]]}
          done={isPaused ? 'The channel is resumed.' : 'The channel is paused. Its deliveries wait.'}
        >
          <p>
            {isPaused
              ? 'Waiting deliveries are sent oldest first, slowly at first. New events are sent at once.'
              : 'It still receives events, but nothing is sent until someone resumes it.'}
          </p>
        </Change>
      )}
    </Card>
  );
}
