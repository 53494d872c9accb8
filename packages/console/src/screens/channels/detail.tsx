import type { ConfiguredChannel } from '@postrider/client';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { FlaskConical, History, KeyRound, Power, Trash2 } from 'lucide-react';
import { keys, useEnvironment, useLeaveDeleted, useRefresh } from '../../api/index.ts';
import { Back, ConsumerLink, Status, useRead } from '../../ui/display.ts';
import { formatNumber } from '../../ui/format.ts';
import { ChangeButton } from '../../ui/input.ts';
import { LostNotice } from '../../ui/live.tsx';
import { type TabItem, Tabs } from '../../ui/overlays.tsx';
import { Button, Card, CopyId, Facts, May, PageHead, TextWithTime, Time } from '../../ui/parts.tsx';
import { ChannelAttempts } from './attempts.tsx';
import { BlockedKeys, keepsOrder } from './blocked-keys.tsx';
import { ChannelFigures } from './figures.tsx';
import { ChannelFilter } from './filter.tsx';
import { KINDS } from './forms/index.ts';
import { ChannelBanner, PauseButton } from './health.tsx';
import { HoursChart } from './hours.tsx';
import { destinationOf } from './list.tsx';
import { Logo } from './logos.tsx';
import { Recover } from './recover.tsx';
import { FeedbackAddress, RotateSecret } from './secrets.tsx';
import { CertificateExpiry, CredentialTags, Senders } from './senders.tsx';
import { ChannelSettings } from './settings.tsx';
import { SignatureHelp } from './signature.tsx';
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
    <Card title="Facts">
      <Facts
        items={{
          Consumer: channel.consumer !== null && <ConsumerLink id={channel.consumer} />,
          Takes: <code>{channel.event_keys.join(', ')}</code>,
          'Signs with': webhook?.signatures.join(', '),
          'Authenticates by': webhook?.auth?.type,
          Credentials: channel.credentials_set.length > 0 && (
            <CredentialTags names={channel.credentials_set} />
          ),
          'Client certificate': webhook?.tls?.subject,
          'Certificate expires': ends !== null && <CertificateExpiry at={ends} />,
          Feedback:
            channel.kind === 'email' &&
            (channel.feedback_token_set ? 'has an address' : 'has no address: bounces stay unknown'),
          Attempts: `at most ${channel.retry.max_attempts}`,
          Limits: limitsOf(channel),
          Order:
            keepsOrder(channel) &&
            (channel.on_exhausted === 'skip'
              ? 'by key; continues after a permanent failure'
              : 'by key; waits after a permanent failure'),
          'Old secret': channel.previous_secret_expires_at && (
            <TextWithTime text="signs until " at={channel.previous_secret_expires_at} />
          ),
          Created: <Time at={channel.created_at} />,
          Id: <CopyId value={channel.id} />,
        }}
      />
    </Card>
  );
}

/** The page is read at most once in this time. */
const REFRESH_MS = 5_000;

/** The newest attempts with what surrounds them: the figures, the hours, the facts and the senders. */
function Activity({ channel }: { channel: ConfiguredChannel }) {
  return (
    <div className="stack">
      <May operation="getEnvironmentStats">
        <ChannelFigures channelId={channel.id} />
      </May>
      <div className="grid-2">
        <Card title="Attempts by hour">
          <HoursChart hours={channel.state.hours} />
        </Card>
        <ChannelFacts channel={channel} />
      </div>
      <Senders channel={channel} />
      {keepsOrder(channel) && (
        <May operation="listBlockedKeys">
          <BlockedKeys channel={channel} />
        </May>
      )}
      <May operation="searchMessages">
        <ChannelAttempts channel={channel} />
      </May>
    </div>
  );
}

function ChannelTabs({ channel }: { channel: ConfiguredChannel }) {
  const navigate = useNavigate();
  const { tab = 'activity' } = useSearch({ strict: false }) as { tab?: string };
  const items: readonly (TabItem & readonly unknown[])[] = [
    ['Activity', <Activity key="a" channel={channel} />, 'activity'],
    ['Settings', <ChannelSettings key="s" channel={channel} />, 'settings'],
    [
      channel.filter ? 'Filter (on)' : 'Filter',
      <ChannelFilter key={JSON.stringify(channel.filter)} channel={channel} />,
      'filter',
    ],
    ...(channel.kind === 'webhook'
      ? [['Signature', <SignatureHelp key="g" channel={channel} />, 'signature'] as const]
      : []),
  ];
  return (
    <Tabs
      label="Parts of the channel"
      items={items}
      value={items.some(([, , id]) => id === tab) ? tab : 'activity'}
      onChange={(id) => void navigate({ to: '.', search: { tab: id }, replace: true })}
    />
  );
}

function Actions({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin, screen } = useEnvironment();
  const leave = useLeaveDeleted();
  const { id, name, enabled } = channel;
  const verb = enabled ? 'Disable' : 'Enable';
  const remove = async () => {
    await admin.channels.delete(id);
    await leave(screen`/channels`, [keys.channels(environmentId)]);
  };
  return (
    <>
      <Button icon={FlaskConical} operation="testChannel" dialog={<TestSend channel={channel} />}>
        Send a test
      </Button>
      <PauseButton channel={channel} />
      <Button icon={History} operation="createReplayBatch" dialog={<Recover channel={channel} />}>
        Recover
      </Button>
      {channel.kind === 'webhook' && (
        <Button icon={KeyRound} operation="rotateChannelSecret" dialog={<RotateSecret channel={channel} />}>
          Rotate the secret
        </Button>
      )}
      {channel.kind === 'email' && <FeedbackAddress channel={channel} />}
      <ChangeButton
        danger={enabled}
        label={verb}
        of={name}
        icon={Power}
        operation="updateChannel"
        action={`${verb} the channel`}
        change={() => admin.channels.update(id, { enabled: !enabled })}
        shownIn={[keys.channels(environmentId)]}
        done={`The channel is ${verb.toLowerCase()}d.`}
      >
        <p>
          {enabled
            ? 'It receives no events, and deliveries that become due meanwhile fail with channel_disabled.'
            : 'It receives events that are accepted from now on. Earlier ones can be replayed.'}
        </p>
      </ChangeButton>
      <ChangeButton
        label="Delete"
        of={name}
        icon={Trash2}
        operation="deleteChannel"
        action="Delete the channel"
        change={remove}
        done="The channel is deleted."
      >
        <p>Waiting deliveries fail. This cannot be undone.</p>
      </ChangeButton>
    </>
  );
}

/** One channel: its state, its attempts, its settings and actions. */
export function Screen() {
  const { environmentId, scope, admin, screen } = useEnvironment();
  const { channelId = '' } = useParams({ strict: false });
  const [channel, placeholder, { dataUpdatedAt }] = useRead(keys.channels(environmentId, channelId), () =>
    admin.channels.get(channelId),
  );
  const shown = [
    keys.channels(environmentId, channelId),
    keys.stats(environmentId),
    keys.blockedKeys(environmentId, channelId),
  ];
  const connection = useRefresh(scope, shown, { everyMs: REFRESH_MS });
  return (
    <>
      <Back to={screen`/channels`}>Channels</Back>
      <PageHead
        title={channel?.name ?? 'Channel'}
        about={
          channel && (
            <span className="row">
              <Status value={channel.state.code} />
              <span className="row">
                <Logo of={channel.kind} />
                {KINDS[channel.kind]?.name ?? channel.kind}
              </span>
              <code className="break">{destinationOf(channel)}</code>
            </span>
          )
        }
      >
        {channel && <Actions channel={channel} />}
      </PageHead>
      <LostNotice connection={connection} at={dataUpdatedAt} />
      {placeholder}
      {channel && (
        <>
          <ChannelBanner channel={channel} />
          <ChannelTabs channel={channel} />
        </>
      )}
    </>
  );
}
