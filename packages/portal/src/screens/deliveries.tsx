import { path } from '@postrider/console/api/path.ts';
import { bind, SelectField } from '@postrider/console/ui/form.tsx';
import { PageHead } from '@postrider/console/ui/plain.tsx';
import { StatusBadge } from '@postrider/console/ui/status.tsx';
import type { Columns } from '@postrider/console/ui/table.tsx';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Delivery } from '../api/contract.ts';
import { usePortal } from '../api/session.ts';
import { useLanguage } from '../ui/i18n.ts';
import { Empty, May, PagedTable, Time, usePaged } from '../ui/parts.tsx';
import { to } from '../ui/router.ts';
import { useEndpoints } from './endpoints.tsx';

const EVERY_MS = 5_000;
/** The statuses of a delivery that the list can be narrowed to. */
const STATUSES = ['succeeded', 'failed', 'retrying', 'queued', 'running', 'scheduled', 'cancelled'] as const;

/** A choice among the endpoints; empty for all. */
export function EndpointField({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { t } = useLanguage();
  const { rows: all = [] } = useEndpoints();
  return (
    <SelectField
      label={t.deliveries.endpoint}
      any={t.replay.allEndpoints}
      {...bind(value, onChange)}
      options={all.map(({ id, name }) => [id, name] as const)}
    />
  );
}

/** Deliveries with a filter by status: of one endpoint, or of all with a filter by endpoint. */
export function DeliveryList({ channelId }: { channelId?: string }) {
  const { t, number } = useLanguage();
  const { consumer, may } = usePortal();
  const [status, setStatus] = useState('');
  const [endpoint, setEndpoint] = useState('');
  const query = { status, channel_id: channelId ?? endpoint };
  const address = path`/api/v1/consumers/${consumer.id}/deliveries`;
  const list = usePaged<Delivery>(['deliveries'], address, query, EVERY_MS);
  const isFiltered = status !== '' || endpoint !== '';
  const columns: Columns<Delivery> = {
    [t.deliveries.event]: ({ id, event_key: key }) => (
      <a className="break" href={to(['deliveries', id])}>
        {key}
      </a>
    ),
    ...(channelId === undefined && {
      [t.deliveries.endpoint]: ({ channel }: Delivery) => <span className="break">{channel.name}</span>,
    }),
    [t.deliveries.status]: ({ status: value }) => (
      <StatusBadge value={value} word={t.deliveries.statuses[value]} />
    ),
    [t.deliveries.attempts]: ({ attempt_count: count }) => number(count),
    [t.deliveries.time]: ({ created_at: at }) => <Time at={at} />,
  };
  return (
    <>
      <div className="filters">
        <SelectField
          label={t.deliveries.status}
          any={t.common.all}
          {...bind(status, setStatus)}
          options={STATUSES.map((each) => [each, t.deliveries.statuses[each]] as const)}
        />
        {channelId === undefined && may('channels:read') && (
          <EndpointField value={endpoint} onChange={setEndpoint} />
        )}
        <May scope="replays:write">
          <a className="button" href={to(['replay'], { endpoint: channelId ?? endpoint })}>
            <RotateCcw aria-hidden="true" />
            {t.deliveries.replayFailed}
          </a>
        </May>
      </div>
      <PagedTable
        label={t.nav.deliveries}
        list={list}
        columns={columns}
        empty={
          isFiltered ? (
            <Empty title={t.deliveries.emptyFiltered} />
          ) : (
            <Empty title={t.deliveries.emptyTitle}>{t.deliveries.empty}</Empty>
          )
        }
      />
    </>
  );
}

export function Deliveries() {
  const { t } = useLanguage();
  return (
    <>
      <PageHead title={t.nav.deliveries} about={t.deliveries.about} />
      <DeliveryList />
    </>
  );
}
