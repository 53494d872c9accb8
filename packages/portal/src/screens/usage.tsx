import { Card, Facts, PageHead } from '@postrider/console/ui/plain.tsx';
import { useLanguage } from '../ui/i18n.ts';
import { useConsumer } from './endpoints.tsx';

/** A used amount with its limit, and a bar if there is one. */
function Amount({ name, used, limit }: { name: string; used: number; limit: number | null }) {
  const { t, number } = useLanguage();
  const share = limit === null || limit === 0 ? null : Math.min(1, used / limit);
  return (
    <div className="stack-tight">
      <div className="row-apart">
        <h2>{name}</h2>
        <span className="number">
          {limit === null
            ? `${number(used)} (${t.common.unlimited})`
            : t.common.of(number(used), number(limit))}
        </span>
      </div>
      {share !== null && (
        // biome-ignore lint/a11y/useSemanticElements: browsers do not let a style sheet draw <meter> alike
        <div
          className={share >= 0.9 ? 'meter meter-warn' : 'meter'}
          role="meter"
          aria-label={name}
          aria-valuenow={share * 100}
        >
          <div style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  );
}

const isThisMonth = (start: string) => start.slice(0, 7) === new Date().toISOString().slice(0, 7);

export function Usage() {
  const { t, number, month } = useLanguage();
  const [data, placeholder] = useConsumer();
  // The first one is this month, if it has events.
  const past = data?.usage.months.filter(({ period_start: start }) => !isThisMonth(start)) ?? [];
  return (
    <>
      <PageHead title={t.nav.usage} about={t.usage.about} />
      {placeholder}
      {data && (
        <Card>
          <div className="stack">
            <Amount name={t.usage.events} used={data.usage.events} limit={data.limits.events_per_month} />
            <Amount name={t.nav.endpoints} used={data.usage.channels} limit={data.limits.channels} />
            {data.limits.events_per_second !== null && (
              <div className="row-apart">
                <h2>{t.usage.rate}</h2>
                <span className="number">{number(data.limits.events_per_second)}</span>
              </div>
            )}
          </div>
        </Card>
      )}
      {past.length > 0 && (
        <Card title={t.usage.past}>
          <Facts
            items={Object.fromEntries(
              past.map(({ period_start: start, events }) => [month(start), number(events)]),
            )}
          />
        </Card>
      )}
    </>
  );
}
