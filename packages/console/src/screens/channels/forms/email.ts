import type { Field, FormShape, Group, Json } from '../../../ui/fields.ts';
import { isObject } from '../../../ui/fields.ts';
import { awsKey, awsRole, certificates, common, EVENTS, NAME } from './shared.ts';

/** The fields of a provider's account: those that it needs, and the others. */
interface Provider {
  readonly main: (at: string) => readonly Field[];
  readonly more: (at: string) => readonly Field[];
}

const endpoint = (at: string): Field => ({
  at: `${at}.endpoint`,
  label: 'Base URL',
  placeholder: 'The public one',
  hint: 'For a private endpoint or a proxy.',
});
const secret = (at: string, label: string, hint?: string): Field => ({
  at,
  label,
  secret: true,
  ...(hint && { hint }),
});
const FEEDBACK = 'Without it, reports of bounces and complaints are refused.';

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  smtp: {
    main: (at) => [
      { at: `${at}.host`, label: 'Mail server', required: true, placeholder: 'smtp.example.com' },
      { at: `${at}.port`, label: 'Port', kind: 'number', required: true, placeholder: '587' },
      { at: `${at}.username`, label: 'User name', placeholder: 'No login' },
      secret(`${at}.password`, 'Password'),
    ],
    more: (at) => [
      {
        at: `${at}.secure`,
        label: 'TLS from the start, as on port 465',
        kind: 'check',
        hint: 'Otherwise the connection is encrypted once the server offers it.',
      },
      { at: `${at}.oauth2.token_url`, label: 'OAuth 2.0 token address', hint: 'Instead of a password.' },
      { at: `${at}.oauth2.client_id`, label: 'OAuth 2.0 client id' },
      secret(`${at}.oauth2.client_secret`, 'OAuth 2.0 client secret'),
      secret(`${at}.oauth2.refresh_token`, 'OAuth 2.0 refresh token'),
      { at: `${at}.oauth2.scope`, label: 'OAuth 2.0 scope' },
      { at: `${at}.return_path`, label: 'Address for bounces', placeholder: 'bounces+{run}@example.com' },
      { at: `${at}.ehlo_name`, label: 'Name of this client (EHLO)', placeholder: 'The host name' },
      { at: `${at}.dkim.domain`, label: 'DKIM domain', hint: 'For a server that does not sign mail itself.' },
      { at: `${at}.dkim.selector`, label: 'DKIM selector' },
      { at: `${at}.dkim.private_key`, label: 'DKIM key, RSA (PEM)', kind: 'long', secret: true },
      { at: `${at}.dkim.ed25519.selector`, label: 'Second DKIM selector' },
      {
        at: `${at}.dkim.ed25519.private_key`,
        label: 'Second DKIM key, Ed25519 (PEM)',
        kind: 'long',
        secret: true,
      },
      ...certificates(at),
    ],
  },
  ses: {
    main: (at) => [
      { at: `${at}.region`, label: 'Region', required: true, placeholder: 'eu-central-1' },
      ...awsKey(at, 'It may call ses:SendEmail.'),
    ],
    more: (at) => [
      { at: `${at}.configuration_set`, label: 'Configuration set' },
      { at: `${at}.topic_arn`, label: 'SNS topic of the feedback (ARN)', hint: FEEDBACK },
      awsRole(at),
      endpoint(at),
    ],
  },
  sendgrid: {
    main: (at) => [secret(`${at}.api_key`, 'API key', 'With the permission Mail Send.')],
    more: (at) => [
      {
        at: `${at}.region`,
        label: 'Region',
        kind: 'choice',
        none: 'Global (default)',
        options: [
          ['global', 'Global'],
          ['eu', 'EU'],
        ],
      },
      { at: `${at}.webhook_public_key`, label: 'Verification key of the event webhook', hint: FEEDBACK },
      endpoint(at),
    ],
  },
  postmark: {
    main: (at) => [secret(`${at}.server_token`, 'Server API token')],
    more: (at) => [
      { at: `${at}.message_stream`, label: 'Message stream', placeholder: 'outbound' },
      { at: `${at}.webhook_username`, label: 'User name of webhooks', hint: FEEDBACK },
      secret(`${at}.webhook_password`, 'Password of webhooks'),
      endpoint(at),
    ],
  },
  mailgun: {
    main: (at) => [
      { at: `${at}.domain`, label: 'Sending domain', required: true, placeholder: 'mg.example.com' },
      secret(`${at}.api_key`, 'Sending key'),
      {
        at: `${at}.region`,
        label: 'Region',
        kind: 'choice',
        none: 'US (default)',
        options: [
          ['us', 'US'],
          ['eu', 'EU'],
        ],
      },
    ],
    more: (at) => [secret(`${at}.webhook_signing_key`, 'Signing key of webhooks', FEEDBACK), endpoint(at)],
  },
  resend: {
    main: (at) => [secret(`${at}.api_key`, 'API key', 'With sending access.')],
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
    {
      at: 'provider',
      label: 'Provider',
      kind: 'choice',
      none: 'Choose one',
      required: true,
      options: Object.entries(PROVIDER_NAMES),
    },
    ...Object.entries(PROVIDERS).flatMap(([name, { main }]) =>
      main(name).map((field) => ({ ...field, when: whereProvider(name, field) })),
    ),
    {
      at: 'weight',
      label: 'Share of the mail',
      kind: 'number',
      placeholder: '1',
      hint: 'With 0 it is tried only after others have failed.',
    },
  ],
  advanced: [
    {
      title: 'This sender',
      fields: [
        { at: 'name', label: 'Name', placeholder: 'The name of the provider' },
        {
          at: 'from_domains',
          label: 'Sends only for these From domains',
          kind: 'words',
          placeholder: 'All',
        },
        ...Object.entries(PROVIDERS).flatMap(([name, { more }]) =>
          more(name).map((field) => ({ ...field, when: whereProvider(name, field) })),
        ),
      ],
    },
  ],
};

const FROM: Field = {
  at: 'config.from.email',
  label: 'From',
  kind: 'email',
  required: true,
  placeholder: 'orders@example.com',
};

/** The fields below the choice of the provider. */
export function emailShape(value: Json): FormShape {
  const provider = providerOf(value);
  const account = provider === null ? undefined : PROVIDERS[provider];
  const more: readonly Group[] = account
    ? [{ title: PROVIDER_NAMES[provider ?? ''] ?? '', fields: account.more(`config.${provider}`) }]
    : [];
  const senders: readonly Field[] = [
    { at: 'config.senders', label: 'Senders', kind: 'list', item: SENDER },
    {
      at: 'config.failover',
      label: 'Try the next sender',
      kind: 'choice',
      none: 'If the mail was certainly not taken (default)',
      options: [
        ['safe', 'If the mail was certainly not taken'],
        ['eager', 'Also if that is unknown: a mail may be sent twice'],
      ],
    },
  ];
  return {
    first: [
      NAME,
      FROM,
      ...(account?.main(`config.${provider}`) ?? []),
      ...(provider === SEVERAL ? senders : []),
    ],
    advanced: [
      {
        title: 'Mail',
        fields: [
          { at: 'config.from.name', label: 'Name of the sender', placeholder: 'The shop' },
          { at: 'config.reply_to', label: 'Reply to', kind: 'email', placeholder: 'From' },
          EVENTS,
        ],
      },
      ...more,
      ...common('60', true),
    ],
  };
}
