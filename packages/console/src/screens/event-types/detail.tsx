import type { EventType } from '@postrider/client';
import { exampleOf } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Save, Send } from 'lucide-react';
import { useState } from 'react';
import { keys, useEnvironment, useInvalidate, useMay } from '../../api/index.ts';
import { Back, ErrorNotice, Status, typedJson, useRead } from '../../ui/display.ts';
import { toJson } from '../../ui/format.ts';
import { bind, EditorField, Target, TextArea, TextField, toast, useTask } from '../../ui/input.ts';
import { Button, Card, CodeBlock, May, PageHead } from '../../ui/parts.tsx';

const FIRST_SCHEMA = toJson({
  type: 'object',
  required: ['order_id'],
  properties: { order_id: { type: 'string', examples: ['A-1001'] } },
});

/** Whether a channel with these patterns subscribes to an event key. */
const takes = (patterns: readonly string[], key: string) =>
  patterns.some(
    (each) => each === '*' || each === key || (each.endsWith('.*') && key.startsWith(each.slice(0, -1))),
  );

function Users({ eventKey }: { eventKey: string }) {
  const { environmentId, admin, screen } = useEnvironment();
  const channels = useQuery({
    queryKey: keys.channels(environmentId),
    queryFn: () => admin.channels.of(environmentId).page({ limit: 100 }),
  });
  const templates = useQuery({
    queryKey: keys.templates(environmentId, 'of', eventKey),
    queryFn: () => admin.templates.of(environmentId).page({ event_key: eventKey, limit: 50 }),
  });
  const taking = channels.data?.data.filter(({ event_keys }) => takes(event_keys, eventKey));
  return (
    <Card title="Used by">
      <div className="stack">
        <ErrorNotice error={channels.error ?? templates.error} />
        <div className="stack-tight">
          <h3>Channels</h3>
          {taking?.length === 0 && <p className="muted">No channel takes it.</p>}
          {taking?.map(({ id, name, enabled }) => (
            <div key={id} className="row">
              <Link to={screen`/channels/${id}`}>{name}</Link>
              <Status value={enabled ? 'enabled' : 'disabled'} />
            </div>
          ))}
        </div>
        <div className="stack-tight">
          <h3>Templates</h3>
          {templates.data?.data.length === 0 && <p className="muted">It has no template.</p>}
          {templates.data?.data.map(({ id, channel_kind, version, active }) => (
            <div key={id} className="row">
              <Link to={screen`/templates/${id}`}>
                {channel_kind}, version {version}
              </Link>
              <Status value={active ? 'active' : 'inactive'} />
            </div>
          ))}
        </div>
      </div>
    </Card>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function Form({ eventType }: { eventType: EventType | null }) {
  const may = useMay();
  const { environmentId, admin, screen } = useEnvironment();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const [key, setKey] = useState(eventType?.event_key ?? '');
  const [about, setAbout] = useState(eventType?.description ?? '');
  const [stream, setStream] = useState(eventType?.stream ?? '');
  const [searchKeys, setSearchKeys] = useState(eventType?.search_keys.join(' ') ?? '');
  const [schema, setSchema] = useState(
    eventType ? (eventType.payload_schema ? toJson(eventType.payload_schema) : '') : FIRST_SCHEMA,
  );
  const { busy, error, run } = useTask();
  const save = async () => {
    await admin.eventTypes.put(environmentId, key.trim(), {
      description: about || null,
      payload_schema: schema.trim() ? (typedJson(schema, 'schema') as EventType['payload_schema']) : null,
      stream: stream.trim() || null,
      search_keys: searchKeys.split(/[\s,]+/).filter(Boolean),
    });
    await invalidate(keys.eventTypes(environmentId));
    toast('The event type is saved. It applies within 5 seconds.');
    await navigate({ to: screen`/event-types/${key.trim()}` });
  };
  return (
    <div className="grid-2">
      <Card
        title="Event type"
        foot={
          <May operation="putEventType" explain="You cannot change it.">
            <Button
              variant="primary"
              icon={Save}
              busy={busy}
              disabled={!key.trim()}
              onClick={() => void run(save)}
            >
              Save
            </Button>
          </May>
        }
      >
        <fieldset className="stack" disabled={!may('putEventType')}>
          <Target />
          {!eventType && <TextField label="Event key" placeholder="order.shipped" {...bind(key, setKey)} />}
          <TextArea label="Description" rows={2} spellCheck {...bind(about, setAbout)} />
          <TextField
            label="Stream (optional)"
            hint="From which recipients can unsubscribe with one click, such as newsletter. Empty: the email is transactional."
            {...bind(stream, setStream)}
          />
          <TextField
            label="Business ids (optional)"
            hint="Up to five paths in the payload whose values you search for, such as /order_id /invoice/number."
            {...bind(searchKeys, setSearchKeys)}
          />
          <EditorField
            title="JSON Schema of the payload (2020-12)"
            label="Schema"
            language="json"
            value={schema}
            onChange={setSchema}
            minHeight={240}
          />
          <ErrorNotice error={error} />
        </fieldset>
      </Card>
      <div className="stack">
        <Card
          title="Example"
          actions={
            eventType &&
            may('createEnvironmentEvent') && (
              <Link
                className="button button-small"
                to={screen`/send`}
                search={{ event_key: eventType.event_key }}
              >
                <Send aria-hidden="true" />
                Send one
              </Link>
            )
          }
        >
          <CodeBlock text={toJson(exampleOf(parsed(schema)))} label="Example" />
        </Card>
        {eventType && may('listChannels') && may('listTemplates') && <Users eventKey={eventType.event_key} />}
      </div>
    </div>
  );
}

/** One event type: description, schema, example, and the channels and templates that use it. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const { eventKey = '' } = useParams({ strict: false });
  const isNew = eventKey === 'new';
  const [data, placeholder] = useRead(
    keys.eventTypes(environmentId, eventKey),
    () => admin.eventTypes.get(environmentId, eventKey),
    { enabled: !isNew },
  );
  return (
    <>
      <Back to={screen`/event-types`}>Event types</Back>
      <PageHead title={isNew ? 'Describe an event key' : eventKey} />
      {placeholder}
      {isNew && <Form eventType={null} />}
      {data && !isNew && <Form key={data.updated_at} eventType={data} />}
    </>
  );
}
