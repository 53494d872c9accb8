import { CHANNEL_KINDS, CHANNEL_SETTINGS_SCHEMAS, type ChannelKind } from '@postrider/domain';
import { nullable, record, ref, type Schema } from '../schema-object.ts';
import { id, optionalTime, pageOf, text, time } from './common.ts';

const flag = (description: string): Schema => ({ type: 'boolean', description });
const wholeNumber = (description: string): Schema => ({ type: 'integer', description });

const CONFIGS: Readonly<Record<ChannelKind, Schema>> = {
  webhook: record('Where events are posted to.', {
    url: text('An http or https URL.'),
    headers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Sent with each request.',
    },
    timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
  }),
  email: record('The SMTP server that mail is handed to, and who it comes from.', {
    smtp: record('The password is never shown: see `password_set`.', {
      host: text('Host name or address.'),
      port: wholeNumber('TCP port.'),
      secure: flag('TLS from the first byte; otherwise STARTTLS.'),
      username: nullable(text('Null when the server wants none.')),
    }),
    from: record('The sender.', {
      email: text('One bare address.'),
      name: nullable(text('Shown to people.')),
    }),
    reply_to: nullable(text('One bare address.')),
    timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
  }),
};

const { retry, event_keys } = CHANNEL_SETTINGS_SCHEMAS;
const { default: _noPolicy, ...retrySchema } = retry;
const { default: _noPatterns, ...patternsSchema } = event_keys;

const fieldsOf = (kind: ChannelKind): Readonly<Record<string, Schema>> => ({
  id: id('chn', 'The channel.'),
  environment_id: id('env', 'Its environment.'),
  kind: { type: 'string', const: kind },
  name: text('For people.'),
  enabled: flag('Whether it takes events.'),
  disabled_reason: nullable(text('Why the service disabled it by itself; null otherwise.')),
  event_keys: patternsSchema,
  config: CONFIGS[kind],
  retry: retrySchema,
  password_set: flag('Whether an SMTP password is stored.'),
  previous_secret_expires_at: optionalTime('Until when the secret before the last rotation signs too.'),
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
});

const secret: Schema = nullable(
  text(
    'The signing secret of a webhook, `whsec_…`: in this answer and never again. Null for an email channel.',
  ),
);

const DESCRIPTIONS: Readonly<Record<ChannelKind, string>> = {
  webhook: 'A channel that posts to a URL.',
  email: 'A channel that sends mail.',
};

const either = (schemas: readonly Schema[]): Schema => ({ oneOf: schemas });

/** Contract section 8. */
export const CHANNEL_SCHEMAS: Readonly<Record<string, Schema>> = {
  WebhookChannel: record(DESCRIPTIONS.webhook, fieldsOf('webhook')),
  EmailChannel: record(DESCRIPTIONS.email, fieldsOf('email')),
  ConfiguredChannel: either([ref('WebhookChannel'), ref('EmailChannel')]),
  ConfiguredChannelList: pageOf('ConfiguredChannel', 'A page of channels, newest first.'),
  ChannelWithSecret: either(
    CHANNEL_KINDS.map((kind) => record(DESCRIPTIONS[kind], { ...fieldsOf(kind), secret })),
  ),
};
