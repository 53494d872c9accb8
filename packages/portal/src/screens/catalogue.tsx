import { type EventType, type EventTypeSummary, exampleOf } from '@postrider/client';
import { path } from '@postrider/console/api/path.ts';
import { Card, CodeBlock, Notice, PageHead } from '@postrider/console/ui/plain.tsx';
import { useLanguage } from '../ui/i18n.ts';
import { Back, Empty, PagedTable, usePaged, useRead } from '../ui/parts.tsx';
import { to } from '../ui/router.ts';

/** The event types of the product. */
export function Catalogue() {
  const { t } = useLanguage();
  const list = usePaged<EventTypeSummary>(['events'], '/api/v1/event-types');
  return (
    <>
      <PageHead title={t.nav.events} about={t.events.about} />
      <PagedTable
        label={t.nav.events}
        list={list}
        keyOf={({ event_key: key }) => key}
        empty={<Empty title={t.events.emptyTitle}>{t.events.empty}</Empty>}
        columns={{
          [t.events.key]: ({ event_key: key }) => (
            <a className="break" href={to(['events', key])}>
              {key}
            </a>
          ),
          [t.events.description]: ({ description }) => <span className="wrap">{description ?? '–'}</span>,
        }}
      />
    </>
  );
}

/** The documented body of a request, with an example of the payload. The ids are those of the documentation. */
function exampleRequest({ event_key: type, payload_schema: schema }: EventType): string {
  const data = {
    message_id: 'msg_01kb2t5rwhffh8rkc5f0m1ek9q',
    delivery_run_id: 'run_01kb2t5rwhffh8rkc5f0m1ek9s',
    recipient: { email: 'ada@example.com' },
    payload: schema ? exampleOf(schema) : {},
  };
  return JSON.stringify({ type, timestamp: '2026-11-21T09:30:00.017Z', data }, null, 2);
}

/** One event type with its example and schema. */
export function EventScreen({ eventKey }: { eventKey: string }) {
  const { t } = useLanguage();
  const [data, placeholder] = useRead<EventType>(['events', eventKey], path`/api/v1/event-types/${eventKey}`);
  return (
    <>
      <Back to={to(['events'])}>{t.nav.events}</Back>
      <PageHead title={eventKey} {...(data?.description && { about: data.description })} />
      {placeholder}
      {data && (
        <div className="grid-2">
          <Card title={t.events.example}>
            <div className="stack">
              <p className="muted">{t.events.exampleAbout}</p>
              <CodeBlock text={exampleRequest(data)} label={t.events.example} />
            </div>
          </Card>
          <Card title={t.events.schema}>
            {data.payload_schema ? (
              <CodeBlock text={JSON.stringify(data.payload_schema, null, 2)} label={t.events.schema} />
            ) : (
              <Notice title={t.events.noSchema} />
            )}
          </Card>
        </div>
      )}
    </>
  );
}
