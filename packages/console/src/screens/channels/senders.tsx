import type { ConfiguredChannel } from '@postrider/client';
import { KeyRound } from 'lucide-react';
import { DAY_MS } from '../../api/index.ts';
import { Status, Table, Tag, type Tone } from '../../ui/display.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Card, TextWithTime } from '../../ui/parts.tsx';
import { SenderFigures } from './figures.tsx';

type Settings = Readonly<Record<string, unknown>>;

interface Sender {
  readonly name: string;
  readonly provider: string;
  readonly weight: number | null;
  readonly from_domains: readonly string[] | null;
  readonly settings: Settings;
}

/** Fields of an email channel's config that are not a provider. */
const NOT_PROVIDERS = new Set(['from', 'senders', 'failover', 'reply_to', 'timeout_ms']);

/** The senders of an email channel: its list, or the one provider of the short form. */
export function sendersOf(channel: ConfiguredChannel): readonly Sender[] {
  if (channel.kind !== 'email') return [];
  const config = channel.config as Settings & { senders?: readonly (Settings & Omit<Sender, 'settings'>)[] };
  if (config.senders)
    return config.senders.map((sender) => ({
      ...sender,
      settings: (sender[sender.provider] ?? {}) as Settings,
    }));
  return Object.entries(config)
    .filter(([name, value]) => !NOT_PROVIDERS.has(name) && typeof value === 'object' && value !== null)
    .map(([name, settings]) => ({
      name,
      provider: name,
      weight: null,
      from_domains: null,
      settings: settings as Settings,
    }));
}

/** The destination of a sender, if its settings name one. */
function destinationOf({ settings }: Sender): string {
  const { host, port, region, domain, endpoint } = settings;
  return [host && `${host}:${port}`, domain, region, endpoint].filter(Boolean).join(', ') || '–';
}

/** The senders of an email channel, and whether their credentials are stored. */
export function Senders({ channel }: { channel: ConfiguredChannel }) {
  const senders = sendersOf(channel);
  if (senders.length === 0) return null;
  const { credentials_set: set, password_set: hasPassword } = channel;
  const credentialsOf = ({ name, provider }: Sender) => [
    ...set
      .filter((each) => each.startsWith(`senders/${name}/`))
      .map((each) => each.split('/').at(-1) ?? each),
    ...(hasPassword && provider === 'smtp' && senders.length === 1 ? ['password'] : []),
  ];
  const states = channel.kind === 'email' ? channel.senders : [];
  const failover = channel.kind === 'email' && channel.config.failover;
  return (
    <Card title="Senders" flush actions={failover && <Tag>{`failover: ${failover}`}</Tag>}>
      <Table
        label="Senders"
        rows={senders}
        keyOf={({ name }) => name}
        columns={{
          Sender: ({ name }) => <span className="break">{name}</span>,
          State: (sender) => <SenderState found={states.find(({ name }) => name === sender.name)} />,
          Provider: ({ provider }) => provider,
          'Sends through': (sender) => <code className="break">{destinationOf(sender)}</code>,
          Weight: ({ weight }) => weight ?? '–',
          From: ({ from_domains }) => from_domains?.join(', ') ?? 'any domain',
          'Last 24 h': ({ name }) => <SenderFigures channelId={channel.id} sender={name} />,
          Credentials: (sender) => <CredentialTags names={credentialsOf(sender)} />,
        }}
      />
    </Card>
  );
}

type FoundState = Extract<ConfiguredChannel, { kind: 'email' }>['senders'][number];

/** Statuses for the states of a breaker. */
const STATES = { closed: 'ok', open: 'failing', half_open: 'retrying' } as const;

/** Whether a sender works, since when, and its last failure. */
function SenderState({ found }: { found: FoundState | undefined }) {
  if (!found) return <span className="muted">–</span>;
  return (
    <div className="stack-tight">
      <Status value={STATES[found.state]} />
      {found.state !== 'closed' && (
        <span className="small muted break">
          <TextWithTime text="since " at={found.since} />
          {found.reason && `: ${found.reason}`}
        </span>
      )}
    </div>
  );
}

/** The names of stored credentials. Their values are never shown. */
export function CredentialTags({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="muted">none</span>;
  return (
    <span className="row">
      {names.map((name) => (
        <Tag key={name}>
          <KeyRound aria-hidden="true" />
          {name} set
        </Tag>
      ))}
    </span>
  );
}

/** Days before its end from which a certificate is shown as expiring; the service reports it at the same time. */
const CERTIFICATE_WARNING_DAYS = 14;

/** When a client certificate expires, and whether that is soon. */
export function CertificateExpiry({ at }: { at: string }) {
  const days = Math.floor((Date.parse(at) - Date.now()) / DAY_MS);
  const [tone, text]: [Tone, string] =
    days < 0
      ? ['bad', 'expired']
      : days <= CERTIFICATE_WARNING_DAYS
        ? ['warn', `${days} days left`]
        : ['neutral', `${days} days left`];
  return (
    <span className="row">
      {formatDateTime(at)} <Tag tone={tone}>{text}</Tag>
    </span>
  );
}
