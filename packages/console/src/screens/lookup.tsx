import type { PostriderAdmin } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { path } from '../api/path.ts';
import { useAdmin } from '../api/session.ts';
import { Empty, ErrorNotice } from '../ui/feedback.tsx';
import { CopyId, Loading, PageHead, Time } from '../ui/parts.tsx';

type LookupResult = Awaited<ReturnType<PostriderAdmin['lookup']['find']>>['results'][number];

const TYPES: Readonly<Record<LookupResult['type'], string>> = {
  message: 'message',
  delivery_run: 'delivery',
  attempt: 'attempt',
  request: 'request id',
  trace: 'trace',
  recipient: 'address',
};

const addressOf = ({ environment_id, message_id }: LookupResult) =>
  message_id ? path`/e/${environment_id}/messages/${message_id}` : path`/e/${environment_id}/messages`;

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
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data?.results.length === 0 && (
        <section className="card">
          <Empty
            icon={SearchX}
            title="Nothing found"
            command={`npm run postrider -- lookup '${q.replaceAll("'", '')}'`}
          >
            Enter a complete id (msg_…, run_…, att_…), a request id, a trace id, or an address exactly as it
            was sent. Messages that were removed after their retention, or erased, are not found.
          </Empty>
        </section>
      )}
      {data && data.results.length > 0 && (
        <section className="card" aria-label="Results">
          <div className="table-wrap">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Message</th>
                  <th scope="col">Environment</th>
                  <th scope="col">Matches by</th>
                  <th scope="col">Id</th>
                  <th scope="col" className="end">
                    Accepted
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.results.map((result) => (
                  <tr
                    key={`${result.type} ${result.message_id} ${result.delivery_run_id} ${result.attempt_number}`}
                  >
                    <td className="break">
                      <Link to={addressOf(result) as string}>
                        {[result.event_key, result.recipient_email].filter(Boolean).join(' to ') || 'Open'}
                      </Link>
                    </td>
                    <td>
                      {result.tenant_name} / {result.environment_name}
                    </td>
                    <td>{TYPES[result.type]}</td>
                    <td>{result.message_id && <CopyId value={result.message_id} short />}</td>
                    <td className="end muted">
                      <Time at={result.created_at} format="short" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
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
