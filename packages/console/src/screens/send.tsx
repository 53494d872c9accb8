import { type EventInput, exampleOf, PostriderApiError } from '@postrider/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { keys, newUuid, useEnvironment, useMay } from '../api/index.ts';
import { ErrorNotice, typedJson, useRead } from '../ui/display.ts';
import { fromLocalInput, toJson } from '../ui/format.ts';
import { bind, EditorField, submitting, Target, TextField, toast, useTask } from '../ui/input.ts';
import { Button, Card, May, PageHead } from '../ui/parts.tsx';

const EXAMPLE = { order_id: 'A-1001', carrier: 'Swift Post', tracking_number: 'SP123456' };

/** Whether an error says that the event was not accepted. */
const isRefusal = (error: unknown) => error instanceof PostriderApiError && error.status < 500;

/** The event types whose schemas give an example; for operators. */
function EventTypeChoice({ onChoose }: { onChoose: (eventKey: string) => void }) {
  const { environmentId, admin } = useEnvironment();
  const [data] = useRead(keys.eventTypes(environmentId, 'choice'), () =>
    admin.eventTypes.of(environmentId).page({ limit: 50 }),
  );
  if (!data || data.data.length === 0) return null;
  return (
    <div className="stack-tight">
      <h3>Start from an event type</h3>
      <div className="row">
        {data.data.map(({ event_key }) => (
          <Button key={event_key} small onClick={() => onChoose(event_key)}>
            {event_key}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Sends a test event and follows it. */
export function Screen() {
  const { environmentId, scope, admin, screen } = useEnvironment();
  const navigate = useNavigate();
  const { event_key } = useSearch({ strict: false }) as { event_key?: string };
  const [eventKey, setEventKey] = useState(event_key ?? 'order.shipped');
  const [email, setEmail] = useState('ada@example.com');
  const [name, setName] = useState('Ada');
  const [schedule, setSchedule] = useState('');
  const [payload, setPayload] = useState(toJson(EXAMPLE));
  /** The idempotency key of the last try, kept while it is unknown whether the event was accepted. */
  const last = useRef<{ key: string; text: string } | null>(null);

  /** Nothing can be sent while the example loads, because the form still has the previous payload. */
  const choosing = useTask();
  const choose = (chosen: string) =>
    void choosing.run(async () => {
      const { payload_schema } = await admin.eventTypes.get(environmentId, chosen);
      setEventKey(chosen);
      if (payload_schema) setPayload(toJson(exampleOf(payload_schema)));
    });
  const may = useMay();
  const canReadTypes = scope.isOperator && may('getEventType');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the example is filled in once, before the user types
  useEffect(() => {
    if (event_key && canReadTypes) choose(event_key);
  }, []);

  const sending = useTask();
  const send = async () => {
    const schedule_at = fromLocalInput(schedule);
    const body = {
      event_key: eventKey.trim(),
      recipient: { ...(email && { email: email.trim() }), ...(name && { name }) },
      payload: typedJson(payload || '{}', 'payload'),
      ...(schedule_at && { schedule_at }),
    } as EventInput;
    const text = JSON.stringify(body);
    if (last.current?.text !== text) last.current = { key: newUuid(), text };
    const { message_id } = await scope.events
      .send(body, { idempotencyKey: last.current.key })
      .catch((error: unknown) => {
        if (isRefusal(error)) last.current = null;
        throw error;
      });
    toast('The event was accepted.');
    await navigate({ to: screen`/messages/${message_id}` });
  };

  return (
    <>
      <PageHead
        title="Send an event"
        about="Posts a real event: channels deliver it, and it counts against the quota."
      />
      <form className="stack" onSubmit={submitting(() => void sending.run(send))}>
        <Card
          foot={
            <Button type="submit" variant="primary" icon={Send} busy={sending.busy || choosing.busy}>
              Send and follow
            </Button>
          }
        >
          <div className="stack">
            <Target />
            {scope.isOperator && (
              <May operation="listEventTypes">
                <EventTypeChoice onChoose={choose} />
              </May>
            )}
            <div className="form-row">
              <TextField label="Event key" required {...bind(eventKey, setEventKey)} />
              <TextField label="Recipient’s address" {...bind(email, setEmail)} />
              <TextField label="Recipient’s name" {...bind(name, setName)} />
              <TextField
                label="Send at"
                type="datetime-local"
                hint="Empty: at once"
                {...bind(schedule, setSchedule)}
              />
            </div>
            <EditorField
              label="Payload"
              language="json"
              value={payload}
              onChange={setPayload}
              minHeight={180}
            />
            <ErrorNotice error={sending.error ?? choosing.error} />
          </div>
        </Card>
      </form>
    </>
  );
}
