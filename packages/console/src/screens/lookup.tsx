import type { PostriderAdmin } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { path } from '../api/path.ts';
import { useAdmin } from '../api/session.ts';
import { Empty, ErrorNotice, MaskedNote } from '../ui/feedback.tsx';
import { type Column, Table } from '../ui/list.tsx';
import { CopyId, Loading, PageHead, Time } from '../ui/parts.tsx';

type LookupResult = Awaited<ReturnType<PostriderAdmin['lookup']['find']>>['results'][number];

const TYPES: Readonly<Record<LookupResult['type'], string>> = {
  message: 'message',
  delivery_run: 'delivery',
  attempt: 'attempt',
  request: 'request id',
  trace: 'trace',
  recipient: 'address',
  business_id: 'business id',
  mail_id: 'id of the mail',
  id_end: 'end of the id',
};

const addressOf = ({ environment_id, message_id }: LookupResult) =>
  message_id ? path`/e/${environment_id}/messages/${message_id}` : path`/e/${environment_id}/messages`;

const COLUMNS: Column<LookupResult>[] = [
  {
    name: 'Message',
    cell: (result) => (
      <Link className="break" to={addressOf(result) as string}>
        {[result.event_key, result.recipient_email].filter(Boolean).join(' to ') || 'Open'}
      </Link>
    ),
  },
  {
    name: 'Environment',
    cell: ({ tenant_name, environment_name }) => `${tenant_name} / ${environment_name}`,
  },
  { name: 'Matches by', cell: ({ type }) => TYPES[type] },
  { name: 'Id', cell: ({ message_id }) => message_id && <CopyId value={message_id} short /> },
  { name: 'Accepted', isEnd: true, cell: ({ created_at }) => <Time at={created_at} format="short" /> },
];

/** What an id or an address belongs to, in any environment. One exact match opens at once. */
export function Screen() {
  const { q = '' } = useSearch({ strict: false }) as { q?: string };
  const navigate = useNavigate();
  const admin = useAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ['lookup', q],
    enabled: q !== '',
    queryFn: () => admin.lookup.find({ q }),
  });
  const only = data?.results.length === 1 && data.results[0]?.type !== 'recipient' ? data.results[0] : null;
  useEffect(() => {
    if (only) void navigate({ to: addressOf(only) as string, replace: true });
  }, [only, navigate]);
  return (
    <>
      <PageHead title={`Results for “${q}”`} about="Newest first, in all environments." />
      <MaskedNote />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data?.results.length === 0 && (
        <section className="card">
          <Empty
            icon={SearchX}
            title="Nothing found"
            command={`npm run postrider -- lookup '${q.replaceAll("'", '')}'`}
          >
            Enter a complete id (msg_…, run_…, att_…), a request id, a trace id, an address, a business id
            such as an order number, or the id of the mail server. Messages that were removed after their
            retention, or erased, are not found.
          </Empty>
        </section>
      )}
      {data && data.results.length > 0 && (
        <section className="card" aria-label="Results">
          <Table
            label="Results"
            rows={data.results}
            columns={COLUMNS}
            keyOf={(result) => JSON.stringify(result)}
          />
          {data.has_more && (
            <div className="card-foot">
              <span className="small muted">
                There are more. Use the filters of an environment’s messages.
              </span>
            </div>
          )}
        </section>
      )}
    </>
  );
}
