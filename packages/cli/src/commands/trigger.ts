import { exampleOf, PostriderApiError } from '@postrider/client';
import { type JsonPath, type JsonValue, withValue } from '@postrider/domain';
import { InvalidArgumentError } from 'commander';
import type { SessionCommand } from '../command.ts';
import { awaitMessage } from '../deliveries.ts';
import { record } from '../output/table.ts';
import type { Session } from '../session.ts';
import { given, type JsonObject } from '../values.ts';

/** A value, and where it is set. */
interface Assignment {
  readonly path: JsonPath;
  readonly value: JsonValue;
}

interface TriggerOptions {
  readonly to: string;
  readonly set?: readonly Assignment[];
  readonly consumer?: string;
  readonly wait?: boolean;
}

/** Parses `payload.total=5`. A value that is not JSON is a text. */
function assignment(text: string, before: readonly Assignment[] = []): Assignment[] {
  const equals = text.indexOf('=');
  const path = text.slice(0, Math.max(equals, 0)).split('.');
  if (!['payload', 'recipient'].includes(path[0] ?? '') || path.length < 2 || path.includes(''))
    throw new InvalidArgumentError('It must be like payload.total=5 or recipient.name=Ada.');
  const written = text.slice(equals + 1);
  try {
    return [...before, { path, value: JSON.parse(written) }];
  } catch {
    return [...before, { path, value: written }];
  }
}

/** An example of the event's payload, by its schema; an empty one, with a note, if there is none to read. */
async function examplePayload(session: Session, eventKey: string): Promise<JsonValue> {
  try {
    const { payload_schema: schema } = await session.environment().eventTypes.get(eventKey, session.call);
    return exampleOf(schema) as JsonValue;
  } catch (error) {
    const why =
      error instanceof PostriderApiError &&
      { 403: 'the token lacks the scope event-types:read', 404: `there is no event type ${eventKey}` }[
        error.status as 403 | 404
      ];
    if (!why) throw error;
    session.note(`There is no example: ${why}. The payload contains only what --set sets.`);
    return {};
  }
}

async function trigger(session: Session, eventKey: string, options: TriggerOptions): Promise<void> {
  const { to, set = [], consumer, wait } = options;
  const own = session.environment();
  const payload = await examplePayload(session, eventKey);
  const start: JsonValue = { payload, recipient: { email: to } };
  const parts = set.reduce<JsonValue>((event, { path, value }) => withValue(event, path, value), start);
  const event = {
    ...(parts as { payload: JsonObject; recipient: JsonObject }),
    event_key: eventKey,
    ...given({ consumer }),
  };
  const accepted = await own.events.send(event, session.call);
  if (wait) return awaitMessage(session, own.messages, accepted.message_id);
  session.show({ ...accepted, payload: event.payload }, ({ message_id, status, delivery_runs }, style) =>
    record({ message_id, status, delivery_runs: delivery_runs.length, payload: event.payload }, style),
  );
}

/** `postrider trigger`: sends the example of an event. */
export function addTrigger(program: SessionCommand): void {
  program
    .add(
      'trigger',
      'send an example event: the one in the schema of its event type, or one with a value for each field',
    )
    .argument('<event-key>', 'the event, such as order.shipped')
    .option(
      '--set <path=value>',
      'set a value of the payload or recipient, such as payload.total=5; can be repeated',
      assignment,
    )
    .option('--to <email>', 'the address of the recipient', 'ada@example.com')
    .option('--consumer <id>', 'your id of the consumer that the event is for')
    .canWait()
    .inEnvironment()
    .examples({
      'postrider trigger order.shipped': 'Send the example.',
      'postrider trigger order.shipped --set payload.total=5 --set payload.items.0.sku=A-1 --wait':
        'With other values.',
    })
    .runs(trigger);
}
