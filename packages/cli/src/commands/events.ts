import type { EventInput } from '@postrider/client';
import { Option } from 'commander';
import type { SessionCommand } from '../command.ts';
import { awaitMessage } from '../deliveries.ts';
import { UsageError } from '../exit-codes.ts';
import { fieldOption, fieldsIn } from '../field-options.ts';
import { recordWithRuns } from '../output/table.ts';
import type { Session } from '../session.ts';
import { given, type JsonObject, jsonObject, payloadFileOption, readJsonObject } from '../values.ts';
import { sendFile } from './send-file.ts';

interface SendOptions {
  readonly fromFile?: string;
  readonly eventKey?: string;
  readonly to?: string;
  readonly name?: string;
  readonly recipient?: JsonObject;
  readonly payload?: JsonObject;
  readonly payloadFile?: string;
  readonly idempotencyKey?: string;
  readonly wait?: boolean;
}

const FIELDS = [
  fieldOption('--schedule-at <time>', 'when to deliver, such as 2027-01-31T09:00:00+01:00; by default now'),
  fieldOption('--expires-at <time>', 'when the event expires, RFC 3339 with offset; by default never'),
  fieldOption(
    '--ordering-key <key>',
    'channels with --ordering key send events with this key one at a time, in order: use an id, not an address',
  ),
  fieldOption('--consumer <id>', 'your id of the consumer that the event is for'),
];

async function eventOf({ io }: Session, options: SendOptions): Promise<EventInput> {
  const { eventKey, to, name, recipient, payloadFile } = options;
  if (!eventKey) {
    throw new UsageError('Use --event-key to send one event, or --from-file to send a file of events.');
  }
  const payload = payloadFile ? await readJsonObject(io, payloadFile) : (options.payload ?? {});
  return {
    event_key: eventKey,
    recipient: { ...recipient, ...given({ email: to, name }) },
    payload,
    ...fieldsIn(FIELDS, options),
  };
}

async function send(session: Session, options: SendOptions): Promise<void> {
  const { fromFile, idempotencyKey } = options;
  if (fromFile !== undefined) return sendFile(session, fromFile, idempotencyKey);
  const postrider = session.postrider();
  const accepted = await postrider.events.send(await eventOf(session, options), {
    ...session.call,
    ...given({ idempotencyKey }),
  });
  if (options.wait) return awaitMessage(session, postrider.messages, accepted.message_id);
  session.show(accepted, recordWithRuns(['id', 'channel.kind', 'channel.name', 'status', 'scheduled_at']));
}

/** `postrider events`: sends events. */
export function addEvents(program: SessionCommand): void {
  program
    .add('events', 'send events')
    .add('send', 'send an event; if the response is lost, the request is repeated without sending twice')
    .option('--event-key <key>', 'the key of the event, such as order.shipped')
    .addOption(
      new Option('--from-file <path>', 'send many events, one JSON object per line; - is stdin').conflicts([
        ...['eventKey', 'to', 'name', 'recipient', 'payload', 'payloadFile', 'scheduleAt'],
        ...['expiresAt', 'orderingKey', 'consumer', 'wait'],
      ]),
    )
    .option('--to <email>', 'the recipient’s address')
    .option('--name <name>', 'the recipient’s name')
    .option('--recipient <json>', 'further fields of the recipient, as a JSON object', jsonObject)
    .option('--payload <json>', 'data for templates and webhooks, as a JSON object', jsonObject)
    .addOption(payloadFileOption())
    .addFields(FIELDS)
    .option('--idempotency-key <uuid>', 'the key of an earlier run, to repeat it without sending twice')
    .canWait()
    .examples({
      ['postrider events send --event-key order.shipped --to ada@example.com ' +
        '--payload \'{"order_id":"A-1"}\' --wait']: 'Send an event and watch its delivery.',
      'postrider events send --from-file events.ndjson':
        'Send many, up to 100 in a request. A line is the body of an event, or an object with "event" ' +
        'and "idempotency_key".',
      'jq .data order.json | postrider events send --event-key order.paid --payload-file -': 'From a pipe.',
    })
    .runs(send);
}
