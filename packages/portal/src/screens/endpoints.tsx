import type { ConfiguredChannel, ConsumerDetails } from '@postrider/client';
import { path } from '@postrider/console/api/path.ts';
import { PageHead } from '@postrider/console/ui/plain.tsx';
import { StatusBadge } from '@postrider/console/ui/status.tsx';
import { Plus } from 'lucide-react';
import { usePortal } from '../api/session.ts';
import { type Language, useLanguage } from '../ui/i18n.ts';
import { Empty, May, PagedTable, Time, usePaged, useRead } from '../ui/parts.tsx';
import { to } from '../ui/router.ts';

/** The list of endpoints: its key in the cache, and where it is read. */
export const ENDPOINTS = 'endpoints';
const EVERY_MS = 15_000;

/** Where an endpoint receives events; its kind if it is none for HTTP. */
export const addressOf = (channel: ConfiguredChannel) =>
  channel.kind === 'webhook' ? channel.config.url : channel.kind;

/** The state of an endpoint, and the word for it. */
export const stateOf = ({ state: { code } }: ConfiguredChannel, { t }: Language) => ({
  value: code,
  word: t.endpoint.states[code],
});

/** The share of its attempts in the last 24 hours that succeeded, with their number. */
export function successOf({ state: { hours, success_rate: rate } }: ConfiguredChannel, language: Language) {
  const attempts = hours.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
  if (rate === null) return language.t.endpoints.noAttempts;
  return language.t.endpoints.rate(language.percent(rate), language.number(attempts));
}

/** The last attempt of an endpoint; null before the first, and for sessions that may not see deliveries. */
export function LastReply({ channel: { state } }: { channel: ConfiguredChannel }) {
  const { t } = useLanguage();
  const { last_reply: last } = state;
  if (!last) return '–';
  const status = <StatusBadge value={last.outcome} word={t.deliveries.statuses[last.outcome]} />;
  return (
    <span className="row">
      <a href={to(['deliveries', last.delivery_run_id])}>{status}</a>
      <span className="small muted">
        {last.status_code !== null && `${last.status_code} · `}
        <Time at={last.at} isRelative />
      </span>
    </span>
  );
}

export const takesOf = ({ event_keys: keys }: ConfiguredChannel, { t }: Language): string =>
  keys.includes('*') ? t.endpoints.takesAll : keys.join(', ');

/** The consumer with its usage and limits, for sessions that may see it. */
export function useConsumer() {
  const { consumer, may } = usePortal();
  const enabled = may('consumers:read');
  return useRead<ConsumerDetails>(['consumer'], path`/api/v1/consumers/${consumer.id}`, { enabled });
}

export function useEndpoints() {
  const { consumer } = usePortal();
  const address = path`/api/v1/consumers/${consumer.id}/channels`;
  return usePaged<ConfiguredChannel>([ENDPOINTS], address, {}, EVERY_MS);
}

export function Endpoints() {
  const language = useLanguage();
  const { t } = language;
  const list = useEndpoints();
  const [consumer] = useConsumer();
  const limit = consumer?.limits.channels;
  const isFull = typeof limit === 'number' && (consumer?.usage.channels ?? 0) >= limit;
  const add = (
    <May scope="channels:write">
      {isFull ? (
        <span className="small muted">{t.endpoints.limitReached}</span>
      ) : (
        <a className="button button-primary" href={to(['endpoints', 'new'])}>
          <Plus aria-hidden="true" />
          {t.endpoints.add}
        </a>
      )}
    </May>
  );
  return (
    <>
      <PageHead title={t.nav.endpoints} about={t.endpoints.about}>
        {add}
      </PageHead>
      <PagedTable
        label={t.nav.endpoints}
        list={list}
        empty={<Empty title={t.endpoints.emptyTitle}>{t.endpoints.empty}</Empty>}
        columns={{
          [t.endpoints.name]: ({ id, name }) => (
            <a className="break" href={to(['endpoints', id])}>
              {name}
            </a>
          ),
          [t.endpoints.address]: (each) => <span className="break">{addressOf(each)}</span>,
          [t.endpoints.state]: (each) => (
            <span className="stack-tight">
              <StatusBadge {...stateOf(each, language)} />
              {each.health.reason && (
                <span className="small muted">{t.endpoint.reasons[each.health.reason]}</span>
              )}
            </span>
          ),
          [t.endpoints.takes]: (each) => <span className="break">{takesOf(each, language)}</span>,
          [t.endpoints.success]: (each) => successOf(each, language),
          [t.endpoints.lastReply]: (each) => <LastReply channel={each} />,
        }}
      />
    </>
  );
}
