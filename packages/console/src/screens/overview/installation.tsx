import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { call } from '../../api/contract.ts';
import { Empty, ErrorNotice } from '../../ui/feedback.tsx';
import { formatNumber, formatPercent } from '../../ui/format.ts';
import { Loading, PageHead, Time } from '../../ui/parts.tsx';
import { Tag } from '../../ui/status.tsx';

/** One thing that needs action, in some environment. */
interface Item {
  readonly type: string;
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly environment_id: string;
  readonly environment_name: string;
  readonly channel_id?: string | null;
  readonly name?: string | null;
  readonly consecutive_failures?: number;
  readonly last_error_code?: string | null;
  readonly failing_since?: string | null;
  readonly due?: number;
  readonly oldest_due_at?: string | null;
  readonly used?: number;
  readonly limit?: number;
  readonly ratio?: number;
  readonly last_hour?: number;
}

const TYPES: Readonly<Record<string, string>> = {
  failing_channel: 'Failing channel',
  backlog: 'Backlog',
  quota: 'Quota',
  render_failures: 'Render failures',
};

function describe(item: Item) {
  if (item.channel_id)
    return (
      <>
        <strong>{item.name}</strong>: {item.consecutive_failures} failures in a row{' '}
        {item.last_error_code && <code>{item.last_error_code}</code>}
      </>
    );
  if (item.due !== undefined)
    return (
      <>
        {formatNumber(item.due)} deliveries are due
        {item.oldest_due_at && (
          <>
            , the oldest since <Time at={item.oldest_due_at} format="relative" />
          </>
        )}
      </>
    );
  if (item.ratio !== undefined)
    return `${formatPercent(item.ratio)} of the month’s events are used (${formatNumber(item.used ?? 0)} of ${formatNumber(item.limit ?? 0)})`;
  return `${formatNumber(item.last_hour ?? 0)} render failures in the last hour`;
}

/** What needs action anywhere in the installation, worst first. */
export function Screen() {
  const { data, error, refetch } = useQuery({
    queryKey: ['attention'],
    queryFn: () => call<{ data: readonly Item[] }>('GET', '/admin/v1/attention'),
    refetchInterval: 30_000,
  });
  return (
    <>
      <PageHead title="Needs action" about="In all environments, worst first." />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data?.data.length === 0 && (
        <section className="card">
          <Empty
            icon={CircleCheck}
            title="Nothing needs action"
            action={
              <Link to={'/tenants' as string} className="button">
                Choose a tenant
              </Link>
            }
          >
            No failing channel, no old backlog, no quota near its limit, no render failures.
          </Empty>
        </section>
      )}
      {data && data.data.length > 0 && (
        <section className="card" aria-label="Needs action">
          <div className="table-wrap">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Environment</th>
                  <th scope="col">What</th>
                  <th scope="col">Details</th>
                </tr>
              </thead>
              <tbody>
                {data.data.map((item) => (
                  <tr key={`${item.environment_id} ${item.type} ${item.channel_id ?? ''}`}>
                    <td>
                      <Link
                        to={
                          item.channel_id
                            ? (`/e/${item.environment_id}/channels/${item.channel_id}` as string)
                            : (`/e/${item.environment_id}/overview` as string)
                        }
                      >
                        {item.tenant_name} / {item.environment_name}
                      </Link>
                    </td>
                    <td>
                      <Tag tone={item.type === 'quota' ? 'warn' : 'bad'}>{TYPES[item.type] ?? item.type}</Tag>
                    </td>
                    <td className="break">{describe(item)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </>
  );
}
