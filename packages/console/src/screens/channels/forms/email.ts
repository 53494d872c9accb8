import type { Field, FormShape, Group, Json } from '../../../ui/fields.ts';
import { check, choice, email, isObject, long, number, secret, text, words } from '../../../ui/fields.ts';
import { awsKey, awsRole, certificates, common, EVENTS, NAME } from './shared.ts';

/** The fields of a provider's account: those that it needs, and the others. */
interface Provider {
  readonly main: (at: string) => readonly Field[];
  readonly more: (at: string) => readonly Field[];
}

const endpoint = (at: string) =>
  text(`${at}.endpoint`, 'Base URL', {
    placeholder: 'The public one',
    hint: 'For a private endpoint or a proxy.',
  });
const FEEDBACK = { hint: 'Without it, reports of bounces and complaints are refused.' };

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  smtp: {
    main: (at) => [
      text(`${at}.host`, 'Mail server', { required: true, placeholder: 'smtp.example.com' }),
      number(`${at}.port`, 'Port', { required: true, placeholder: '587' }),
      text(`${at}.username`, 'User name', { placeholder: 'No login' }),
      secret(`${at}.password`, 'Password'),
    ],
    more: (at) => [
      check(`${at}.secure`, 'TLS from the start, as on port 465', {
        hint: 'Otherwise the connection is encrypted once the server offers it.',
      }),
      text(`${at}.oauth2.token_url`, 'OAuth 2.0 token address', { hint: 'Instead of a password.' }),
      text(`${at}.oauth2.client_id`, 'OAuth 2.0 client id'),
      secret(`${at}.oauth2.client_secret`, 'OAuth 2.0 client secret'),
      secret(`${at}.oauth2.refresh_token`, 'OAuth 2.0 refresh token'),
      text(`${at}.oauth2.scope`, 'OAuth 2.0 scope'),
      text(`${at}.return_path`, 'Address for bounces', { placeholder: 'bounces+{run}@example.com' }),
      text(`${at}.ehlo_name`, 'Name of this client (EHLO)', { placeholder: 'The host name' }),
      text(`${at}.dkim.domain`, 'DKIM domain', { hint: 'For a server that does not sign mail itself.' }),
      text(`${at}.dkim.selector`, 'DKIM selector'),
      long(`${at}.dkim.private_key`, 'DKIM key, RSA (PEM)', { secret: true }),
      text(`${at}.dkim.ed25519.selector`, 'Second DKIM selector'),
      long(`${at}.dkim.ed25519.private_key`, 'Second DKIM key, Ed25519 (PEM)', { secret: true }),
      ...certificates(at),
    ],
  },
  ses: {
    main: (at) => [
      text(`${at}.region`, 'Region', { required: true, placeholder: 'eu-central-1' }),
      ...awsKey(at, 'It may call ses:SendEmail.'),
    ],
    more: (at) => [
      text(`${at}.configuration_set`, 'Configuration set'),
      text(`${at}.topic_arn`, 'SNS topic of the feedback (ARN)', FEEDBACK),
      awsRole(at),
      endpoint(at),
    ],
  },
  sendgrid: {
    main: (at) => [secret(`${at}.api_key`, 'API key', { hint: 'With the permission Mail Send.' })],
    more: (at) => [
      choice(`${at}.region`, 'Region', {
        none: 'Global (default)',
        options: { global: 'Global', eu: 'EU' },
      }),
      text(`${at}.webhook_public_key`, 'Verification key of the event webhook', FEEDBACK),
      endpoint(at),
    ],
  },
  postmark: {
    main: (at) => [secret(`${at}.server_token`, 'Server API token')],
    more: (at) => [
      text(`${at}.message_stream`, 'Message stream', { placeholder: 'outbound' }),
      text(`${at}.webhook_username`, 'User name of webhooks', FEEDBACK),
      secret(`${at}.webhook_password`, 'Password of webhooks'),
      endpoint(at),
    ],
  },
  mailgun: {
    main: (at) => [
      text(`${at}.domain`, 'Sending domain', { required: true, placeholder: 'mg.example.com' }),
      secret(`${at}.api_key`, 'Sending key'),
      choice(`${at}.region`, 'Region', { none: 'US (default)', options: { us: 'US', eu: 'EU' } }),
    ],
    more: (at) => [secret(`${at}.webhook_signing_key`, 'Signing key of webhooks', FEEDBACK), endpoint(at)],
  },
  resend: {
    main: (at) => [secret(`${at}.api_key`, 'API key', { hint: 'With sending access.' })],
    more: (at) => [secret(`${at}.webhook_secret`, 'Secret of webhooks', FEEDBACK), endpoint(at)],
  },
};

export const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  smtp: 'SMTP',
  ses: 'Amazon SES',
  sendgrid: 'SendGrid',
  postmark: 'Postmark',
  mailgun: 'Mailgun',
  resend: 'Resend',
};

/** Stands for a list of senders instead of one provider. */
export const SEVERAL = 'senders';

/** The provider of an email channel's settings, {@link SEVERAL}, or null while none is chosen. */
export function providerOf({ config }: Json): string | null {
  if (!isObject(config)) return null;
  if (Array.isArray(config.senders)) return SEVERAL;
  return Object.keys(PROVIDERS).find((each) => isObject(config[each])) ?? null;
}

/** The settings with another provider. The first sender of a list becomes the provider, and the other way round. */
export function withProvider(value: Json, chosen: string): Json {
  const config = isObject(value.config) ? value.config : {};
  const before = providerOf(value);
  if (before === chosen) return value;
  const others = Object.fromEntries(
    Object.entries(config).filter(
      ([name]) => name !== SEVERAL && name !== 'failover' && !(name in PROVIDERS),
    ),
  );
  const [first] = Array.isArray(config.senders) ? (config.senders as readonly Json[]) : [];
  const settings =
    chosen === SEVERAL
      ? [before === null ? {} : { provider: before, [before]: config[before] }]
      : ((first?.provider === chosen ? first[chosen] : null) ?? {});
  return { ...value, config: { ...others, [chosen]: settings } };
}

/** Whether a field of a provider applies to a sender of a list. */
const whereProvider =
  (name: string, { when = () => true }: Field) =>
  (sender: Json): boolean =>
    sender.provider === name && when(sender);

const SENDER: FormShape = {
  first: [
    choice('provider', 'Provider', { none: 'Choose one', required: true, options: PROVIDER_NAMES }),
    ...Object.entries(PROVIDERS).flatMap(([name, { main }]) =>
      main(name).map((field) => ({ ...field, when: whereProvider(name, field) })),
    ),
    number('weight', 'Share of the mail', {
      placeholder: '1',
      hint: 'With 0 it is tried only after others have failed.',
    }),
  ],
  advanced: [
    {
      title: 'This sender',
      fields: [
        text('name', 'Name', { placeholder: 'The name of the provider' }),
        words('from_domains', 'Sends only for these From domains', { placeholder: 'All' }),
        ...Object.entries(PROVIDERS).flatMap(([name, { more }]) =>
          more(name).map((field) => ({ ...field, when: whereProvider(name, field) })),
        ),
      ],
    },
  ],
};

const SENDERS: readonly Field[] = [
  { at: 'config.senders', label: 'Senders', kind: 'list', item: SENDER },
  choice('config.failover', 'Try the next sender', {
    none: 'If the mail was certainly not accepted (default)',
    options: {
      safe: 'If the mail was certainly not accepted',
      eager: 'Also if that is unknown: a mail may be sent twice',
    },
  }),
];

/** The fields below the choice of the provider. */
export function emailShape(value: Json): FormShape {
  const provider = providerOf(value);
  const account = provider === null ? undefined : PROVIDERS[provider];
  const more: readonly Group[] = account
    ? [{ title: PROVIDER_NAMES[provider ?? ''] ?? '', fields: account.more(`config.${provider}`) }]
    : [];
  return {
    first: [
      NAME,
      email('config.from.email', 'From', { required: true, placeholder: 'orders@example.com' }),
      ...(account?.main(`config.${provider}`) ?? []),
      ...(provider === SEVERAL ? SENDERS : []),
    ],
    advanced: [
      {
        title: 'Mail',
        fields: [
          text('config.from.name', 'Name of the sender', { placeholder: 'The shop' }),
          email('config.reply_to', 'Reply to', { placeholder: 'From' }),
          EVENTS,
        ],
      },
      ...more,
      ...common('60', true),
    ],
  };
}
