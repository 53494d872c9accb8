import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { type Found, keys, lookUp, path, useSession } from '../api/index.ts';
import { type Columns, Empty, MaskedNote, Notice, Status, Table, useRead } from '../ui/display.ts';
import { formatNumber } from '../ui/format.ts';
import { Card, PageHead, Time } from '../ui/parts.tsx';
import { screenOf } from './screen-of.ts';

type LookupResult = Found['results'][number];
type NamedResource = Found['resources'][number];

const TYPES: Readonly<Record<LookupResult['type'], string>> = {
  message: 'message',
  delivery_run: 'delivery',
  attempt: 'attempt',
  request: 'request id',
  trace: 'trace',
  recipient: 'address',
  business_id: 'business id',
  mail_id: 'id of the email',
  id_end: 'end of an id',
};

const addressOf = ({ environment_id, message_id }: LookupResult) =>
  message_id ? path`/e/${environment_id}/messages/${message_id}` : path`/e/${environment_id}/messages`;

const COLUMNS: Columns<LookupResult> = {
  Status: ({ status }) => <Status value={status} />,
  Message: (result) => (
    <span className="stack-none">
      <Link className="break" to={addressOf(result)}>
        {[result.event_key, result.recipient_email].filter(Boolean).join(' to ') || 'Open'}
      </Link>
      <span className="small muted break">{`${result.tenant_name} / ${result.environment_name}`}</span>
    </span>
  ),
  'Matches by': ({ match, type }) => (match ? <code className="break">{match}</code> : TYPES[type]),
  Channel: ({ channel }) => <span className="break">{channel?.name ?? '–'}</span>,
  Accepted: { end: ({ created_at }) => <Time at={created_at} format="short" /> },
};

/** The name of a resource, with a link for operators: others have no such screens. */
function ResourceName({ of: { type, id, environment_id, name } }: { of: NamedResource }) {
  const { role } = useSession();
  if (role === 'integrator') return <span className="break">{name}</span>;
  const to = type === 'environment' ? screenOf(type, id) : screenOf(type, environment_id, id);
  return (
    <Link className="break" to={to}>
      {name}
    </Link>
  );
}

const RESOURCE_COLUMNS: Columns<NamedResource> = {
  Name: (resource) => <ResourceName of={resource} />,
  What: ({ type, detail }) => (detail ? `${type} (${detail})` : type),
  Where: ({ tenant_name, environment_name }) => (
    <span className="break">{[tenant_name, environment_name].filter(Boolean).join(' / ')}</span>
  ),
};

/** How many messages of an address failed. */
function OfAddress({
  of: { messages, failed, is_lower_bound: isMore },
}: {
  of: NonNullable<Found['recipient']>;
}) {
  const which = isMore ? `the newest ${formatNumber(messages)}` : formatNumber(messages);
  return (
    <Notice
      isContent
      tone={failed > 0 ? 'bad' : 'ok'}
      title={`${formatNumber(failed)} of ${which} messages to this address failed.`}
    />
  );
}

/** How many names of each type are shown. */
const MAX_NAMES = 10;

/** What to do where only the first names are shown. */
function MoreNames({ q, resources }: { q: string; resources: readonly NamedResource[] }) {
  const isFull = resources.some(
    ({ type }) => resources.filter((each) => each.type === type).length >= MAX_NAMES,
  );
  const consumers = resources.filter(({ type }) => type === 'consumer');
  const environments = new Map(consumers.map((each) => [each.environment_id, each.environment_name]));
  if (!isFull) return null;
  return (
    <div className="card-foot stack-tight">
      <span className="small muted">The first {MAX_NAMES} of each are shown. Type more of the name.</span>
      {consumers.length >= MAX_NAMES &&
        [...environments].map(([id, name]) => (
          <Link key={id} to={path`/e/${id}/consumers`} search={{ search: q }}>
            All such consumers in {name}
          </Link>
        ))}
    </div>
  );
}

/** Where the rest of the results is: the messages of each address found. */
function MoreMessages({ results }: { results: readonly LookupResult[] }) {
  const addresses = new Map(
    results.flatMap((result) =>
      result.type === 'recipient' ? [[`${result.environment_id} ${result.recipient_email}`, result]] : [],
    ),
  );
  return (
    <div className="card-foot stack-tight">
      {addresses.size === 0 && (
        <span className="small muted">The newest are shown. Type more of the id to see fewer.</span>
      )}
      {[...addresses].map(([key, { environment_id, environment_name, recipient_email }]) => (
        <Link
          key={key}
          className="break"
          to={path`/e/${environment_id}/messages`}
          search={{ recipient_email }}
        >
          All messages to {recipient_email} in {environment_name}
        </Link>
      ))}
    </div>
  );
}

/** What a text belongs to, in all environments that the user sees. One exact match opens at once. */
export function Screen() {
  const { q = '', environment } = useSearch({ strict: false }) as { q?: string; environment?: string };
  const navigate = useNavigate();
  const session = useSession();
  const [data, placeholder] = useRead(keys.lookup(q, environment), () => lookUp(session, q, environment), {
    enabled: q !== '',
  });
  const isOnly = data?.results.length === 1 && data.resources.length === 0;
  const only = isOnly && data.results[0]?.type !== 'recipient' ? data.results[0] : null;
  useEffect(() => {
    if (only) void navigate({ to: addressOf(only), replace: true });
  }, [only, navigate]);
  const isEmpty = data?.results.length === 0 && data.resources.length === 0;
  return (
    <>
      <PageHead
        title={`Results for “${q}”`}
        about={`Newest first, in ${session.environment_name ?? 'all environments'}.`}
      />
      <MaskedNote />
      {placeholder}
      {data?.recipient && data.recipient.messages > 0 && <OfAddress of={data.recipient} />}
      {isEmpty && (
        <section className="card">
          <Empty
            icon={SearchX}
            title="Nothing found"
            command={`npm run postrider -- lookup '${q.replaceAll("'", '')}'`}
          >
            Enter an id, or in an environment its last six characters or more, an email address, the
            Message-ID or another id of the mail server, a value that an event type declares as a business id,
            or the name of a channel, template, consumer or tenant. Messages that were removed after their
            retention, or erased, are not found.
          </Empty>
        </section>
      )}
      {data && data.resources.length > 0 && (
        <Card title="By name" flush>
          <Table
            label="Resources"
            rows={data.resources}
            columns={RESOURCE_COLUMNS}
            keyOf={({ type, id, environment_id }) => `${type} ${environment_id} ${id}`}
          />
          <MoreNames q={q} resources={data.resources} />
        </Card>
      )}
      {data && data.results.length > 0 && (
        <section className="card" aria-label="Results">
          <Table
            label="Results"
            rows={data.results}
            columns={COLUMNS}
            keyOf={(result) => JSON.stringify(result)}
          />
          {data.has_more && <MoreMessages results={data.results} />}
        </section>
      )}
      {data?.searched_back_to && (
        <p className="small muted">
          Ids were compared back to <Time at={data.searched_back_to} />.
        </p>
      )}
    </>
  );
}
