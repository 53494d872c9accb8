import type { FormShape, Json } from '../../../ui/fields.ts';
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

/** A kind that the console does not know: its settings are JSON. */
const UNKNOWN: FormShape = {
  first: [
    NAME,
    { at: 'config', label: 'Settings (JSON)', kind: 'json', required: true, mayHoldSecrets: true },
  ],
  advanced: [{ title: 'Events', fields: [EVENTS] }, ...common('').map(withoutTimeLimit)],
};

function withoutTimeLimit({
  fields,
  ...group
}: FormShape['advanced'][number]): FormShape['advanced'][number] {
  return { ...group, fields: fields.filter(({ at }) => !at.startsWith('config.')) };
}

export const shapeOfKind = (kind: string, value: Json): FormShape => KINDS[kind]?.shapeOf(value) ?? UNKNOWN;
