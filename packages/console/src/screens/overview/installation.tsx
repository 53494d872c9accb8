import { CircleCheck } from 'lucide-react';
import { keys, useAdmin } from '../../api/index.ts';
import { ButtonLink, Empty, useRead } from '../../ui/display.ts';
import { PageHead } from '../../ui/parts.tsx';
import { AttentionList } from './attention.tsx';

const REFRESH_MS = 30_000;

/** What needs attention in the whole installation, worst first. */
export function Screen() {
  const admin = useAdmin();
  const [data, placeholder] = useRead(keys.attentionEverywhere(), () => admin.attention.overview(), {
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHead title="Needs action" about="In all environments, worst first." />
      {placeholder}
      {data?.items.length === 0 && (
        <section className="card">
          <Empty
            icon={CircleCheck}
            title="Nothing needs action"
            action={
              <ButtonLink operation="listTenants" to={'/tenants'}>
                Choose a tenant
              </ButtonLink>
            }
          >
            No failing or paused channel, no old backlog, no quota near its limit, no render failures.
          </Empty>
        </section>
      )}
      {data?.items.map((item) => (
        <AttentionList
          key={item.environment_id}
          title={`${item.tenant_name} / ${item.environment_name}`}
          attention={item}
          environmentId={item.environment_id}
        />
      ))}
    </>
  );
}
