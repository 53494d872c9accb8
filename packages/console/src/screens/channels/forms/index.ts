import { type FormShape, type Group, type Json, json, several } from '../../../ui/fields.ts';
import { AMQP, KAFKA, SQS } from './brokers.ts';
import { emailShape } from './email.ts';
import { common, EVENTS, NAME } from './shared.ts';
import { WEBHOOK } from './webhook.ts';

interface Kind {
  readonly name: string;
  readonly about: string;
  /** Initial values. */
  readonly start?: Json;
  readonly shapeOf: (value: Json) => FormShape;
}

/** The kinds of channels: their names and forms. */
export const KINDS: Readonly<Record<string, Kind>> = {
  webhook: { name: 'Webhook', about: 'An HTTP request to an address', shapeOf: () => WEBHOOK },
  email: { name: 'Email', about: 'By SMTP or a provider', shapeOf: emailShape },
  amqp: {
    name: 'RabbitMQ',
    about: 'An exchange (AMQP 0-9-1)',
    start: { config: { exchange: '' } },
    shapeOf: () => AMQP,
  },
  sqs: { name: 'Amazon SQS', about: 'A queue', shapeOf: () => SQS },
  kafka: { name: 'Apache Kafka', about: 'A topic', shapeOf: () => KAFKA },
};

/** The names of the kinds, by their codes. */
export const KIND_NAMES = Object.fromEntries(Object.entries(KINDS).map(([kind, { name }]) => [kind, name]));

/** A choice of kinds; without one, of all. */
export const kindsField = (at: string, hint?: string) =>
  several(at, 'Kinds of channels', {
    usual: Object.keys(KINDS),
    options: KIND_NAMES,
    ...(hint && { hint }),
  });

const withoutTimeLimit = ({ fields, ...group }: Group): Group => ({
  ...group,
  fields: fields.filter(({ at }) => !at.startsWith('config.')),
});

/** A kind that the console does not know: its settings are JSON. */
const UNKNOWN: FormShape = {
  first: [NAME, json('config', 'Settings (JSON)', { required: true, mayHoldSecrets: true })],
  advanced: [{ title: 'Events', fields: [EVENTS] }, ...common('').map(withoutTimeLimit)],
};

export const shapeOfKind = (kind: string, value: Json): FormShape => KINDS[kind]?.shapeOf(value) ?? UNKNOWN;
