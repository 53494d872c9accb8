import type { ConfiguredChannel } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft, FlaskConical, Inbox, KeyRound, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { path } from '../../api/path.ts';
import { useAdmin, useForget, useInvalidate } from '../../api/session.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { Change } from '../../ui/change.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Button, Card, CopyId, Facts, Loading, May, PageHead, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { BlockedKeys, keepsOrder } from './blocked-keys.tsx';
import { FeedbackAddress } from './feedback-address.tsx';
import { ChannelFigures, RecentErrors } from './figures.tsx';
import { ChannelFilter } from './filter.tsx';
import { ChannelHealth, stateOf } from './health.tsx';
import { destinationOf } from './list.tsx';
import { RotateSecret } from './rotate.tsx';
import { CertificateExpiry, CredentialTags, Senders } from './senders.tsx';
import { ChannelSettings } from './settings.tsx';
import { TestSend } from './test-send.tsx';

/** Such as "10 attempts a second, 5 at once". */
const limitsOf = ({ max_per_second: perSecond, max_in_flight: atOnce }: ConfiguredChannel) =>
  [
    perSecond !== null && `${formatNumber(perSecond)} attempts a second`,
    atOnce !== null && `${formatNumber(atOnce)} at once`,
  ]
    .filter(Boolean)
    .join(', ');

/** When the channel's client certificate expires; null if it has none. */
function certificateEnd({ kind, config }: ConfiguredChannel): string | null {
  if (kind === 'webhook') return config.tls?.expires_at ?? null;
  return 'certificate_expires_at' in config ? config.certificate_expires_at : null;
}

function ChannelFacts({ channel }: { channel: ConfiguredChannel }) {
  const webhook = channel.kind === 'webhook' ? channel.config : null;
  const ends = certificateEnd(channel);
  return (
    <Card title="Channel">
      <Facts
        items={[
          ['State', <Status key="s" value={stateOf(channel)} />],
          ['Kind', channel.kind],
          ['Delivers to', <code key="d">{destinationOf(channel)}</code>],
          ['Takes', <code key="e">{channel.event_keys.join(', ')}</code>],
          webhook && ['Signs with', webhook.signatures.join(', ')],
          webhook?.auth && ['Authenticates by', webhook.auth.type],
          channel.credentials_set.length > 0 && [
            'Credentials',
            <CredentialTags key="c" names={channel.credentials_set} />,
          ],
          Boolean(webhook?.tls?.subject) && [
            'Client certificate',
            <span key="t">{webhook?.tls?.subject}</span>,
          ],
          ends !== null && ['Certificate expires', <CertificateExpiry key="x" at={ends} />],
          channel.kind === 'email' && [
            'Feedback',
            channel.feedback_token_set ? 'has an address' : 'has no address: bounces stay unknown',
          ],
          ['Attempts', `at most ${channel.retry.max_attempts}`],
          limitsOf(channel) !== '' && ['Limits', limitsOf(channel)],
          keepsOrder(channel) && [
            'Order',
            channel.on_exhausted === 'skip'
              ? 'by key; continues after a permanent failure'
              : 'by key; waits after a permanent failure',
          ],
          channel.previous_secret_expires_at
            ? [
                'Old secret',
                <span key="o">
                  signs until <Time at={channel.previous_secret_expires_at} />
                </span>,
              ]
            : null,
          ['Created', <Time key="m" at={channel.created_at} />],
          ['Id', <CopyId key="i" value={channel.id} />],
        ]}
      />
    </Card>
  );
}

/** One channel: its health, settings and actions. */
export function Screen() {
  const { environmentId } = useEnvironment();
  const { channelId = '' } = useParams({ strict: false });
  const admin = useAdmin();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const forget = useForget();
  const [dialog, setDialog] = useState<'test' | 'rotate' | 'feedback' | 'toggle' | 'delete' | null>(null);
  const {
    data: channel,
    error,
    refetch,
  } = useQuery({
    queryKey: ['channels', environmentId, channelId],
    queryFn: () => admin.channels.get(channelId),
  });
  const close = () => setDialog(null);
  const readAgain = () => invalidate('channels', environmentId);
  const remove = async () => {
    await admin.channels.delete(channelId);
    forget('channels', environmentId);
    await navigate({ to: path`/e/${environmentId}/channels` as string });
  };
  return (
    <>
      <Link to={path`/e/${environmentId}/channels` as string} className="back">
        <ArrowLeft className="icon" aria-hidden="true" /> Channels
      </Link>
      <PageHead title={channel?.name ?? 'Channel'}>
        {channel && (
          <>
            <Button icon={FlaskConical} operation="testChannel" onClick={() => setDialog('test')}>
              Send a test
            </Button>
            {channel.kind === 'webhook' && (
              <Button icon={KeyRound} operation="rotateChannelSecret" onClick={() => setDialog('rotate')}>
                Rotate the secret
              </Button>
            )}
            {channel.kind === 'email' && (
              <Button
                icon={Inbox}
                operation="rotateChannelFeedbackToken"
                onClick={() => setDialog('feedback')}
              >
                Feedback address
              </Button>
            )}
            <Button icon={Power} operation="updateChannel" onClick={() => setDialog('toggle')}>
              {channel.enabled ? 'Disable' : 'Enable'}
            </Button>
            <Button icon={Trash2} operation="deleteChannel" onClick={() => setDialog('delete')}>
              Delete
            </Button>
          </>
        )}
      </PageHead>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!channel && !error && <Loading />}
      {channel && (
        <>
          {channel.disabled_reason && (
            <Notice tone="warn" title="The service disabled this channel automatically.">
              <p className="break">{channel.disabled_reason}</p>
            </Notice>
          )}
          <May operation="getEnvironmentStats">
            <ChannelFigures channelId={channel.id} />
          </May>
          <div className="grid-2">
            <ChannelFacts channel={channel} />
            <div className="stack">
              <ChannelHealth channel={channel} />
              <May operation="searchMessages">
                <RecentErrors channelId={channel.id} />
              </May>
            </div>
          </div>
          {keepsOrder(channel) && <BlockedKeys channel={channel} />}
          <Senders channel={channel} />
          <ChannelFilter key={JSON.stringify(channel.filter)} channel={channel} onSaved={readAgain} />
          <ChannelSettings key={channel.updated_at} channel={channel} onSaved={readAgain} />
          {dialog === 'test' && <TestSend channel={channel} onClose={close} />}
          {dialog === 'feedback' && <FeedbackAddress channel={channel} onClose={close} />}
          {dialog === 'rotate' && <RotateSecret channel={channel} onClose={close} />}
          {dialog === 'toggle' && (
            <Change
              danger={channel.enabled}
              onClose={close}
              title={`${channel.enabled ? 'Disable' : 'Enable'} ${channel.name}`}
              action={channel.enabled ? 'Disable the channel' : 'Enable the channel'}
              target={<Target />}
              change={() => admin.channels.update(channelId, { enabled: !channel.enabled })}
              shownIn={[['channels', environmentId]]}
              done={channel.enabled ? 'The channel is disabled.' : 'The channel is enabled.'}
            >
              <p>
                {channel.enabled
                  ? 'It receives no events, and deliveries that become due meanwhile fail with channel_disabled.'
                  : 'It receives events that are accepted from now on. Earlier ones can be replayed.'}
              </p>
            </Change>
          )}
          {dialog === 'delete' && (
            <Change
              onClose={close}
              title={`Delete ${channel.name}`}
              action="Delete the channel"
              target={<Target />}
              change={remove}
              shownIn={[]}
              done="The channel is deleted."
            >
              <p>Waiting deliveries fail. This cannot be undone.</p>
            </Change>
          )}
        </>
      )}
    </>
  );
}
