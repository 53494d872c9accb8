import {
  isBareEmailAddress,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  KIND_FACTS,
  lineIssues,
} from '@postrider/domain';
import {
  defineSettings,
  removableOption,
  type Settings,
  settingObject,
  timeoutSetting,
} from '../settings.ts';
import { accountRules, accountSettings, accountsOf } from './accounts.ts';
import type { EmailProvider } from './provider.ts';

const MAX_NAME_LENGTH = 255;
const DESCRIPTION = 'The sender address and how mail is sent.';

/**
 * The stored config of an email channel. It also has either the settings of one provider in a field with the
 * provider's name, such as `smtp`, or the list `senders`.
 */
export type EmailConfig = {
  from: { email: string; name?: string };
  reply_to?: string;
  timeout_ms?: number;
  /** When the first client certificate of an account expires, so that a query can find it. ISO 8601. */
  certificate_expires_at?: string;
  [providerOrSenders: string]: unknown;
};

/** When the first of the accounts' client certificates expires; undefined if none has one. */
function certificateEnd(providers: readonly EmailProvider[], config: JsonObject): string | undefined {
  const ends = accountsOf(providers, config).flatMap(({ provider, settings }) => {
    const { certificate_expires_at: end } = provider.config.toStored(settings);
    return typeof end === 'string' ? [end] : [];
  });
  return ends.sort()[0];
}

const FROM: Settings = {
  email: {
    isRequired: true,
    schema: {
      type: 'string',
      format: 'email',
      description:
        'One bare address; also the return path, unless SMTP settings have `return_path`. An internationalised domain is stored in its `xn--` form.',
    },
    shown: 'One bare address.',
    option: { flags: '--from-email <address>', description: 'the sender' },
  },
  name: {
    schema: { type: ['string', 'null'], maxLength: MAX_NAME_LENGTH, default: null },
    shown: 'Shown to people.',
    storedOf: (name) => name || undefined,
    issuesOf: lineIssues,
    option: removableOption('--from-name <name>', 'the sender’s name', 'the address alone'),
  },
};

/** The settings of email channels with these providers. */
export const emailSettings = (providers: readonly EmailProvider[]) =>
  defineSettings<EmailConfig>(
    {
      ...accountSettings(providers),
      from: { ...settingObject(FROM, 'The sender.'), isRequired: true },
      reply_to: {
        schema: {
          type: ['string', 'null'],
          format: 'email',
          default: null,
          description: 'One bare address.',
        },
        shown: 'One bare address.',
        option: removableOption('--reply-to <address>', 'the reply-to address', 'the sender'),
      },
      timeout_ms: timeoutSetting(KIND_FACTS.email),
      certificate_expires_at: {
        schema: { type: ['string', 'null'], description: 'Ignored.' },
        shown: 'When the first client certificate of its senders expires.',
        storedOf: (_, config) => certificateEnd(providers, config),
      },
    },
    {
      description: `${DESCRIPTION} Either the settings of one provider, such as \`smtp\`, or the list \`senders\`.`,
      shownDescription: DESCRIPTION,
      rules: accountRules<EmailConfig>(providers),
    },
  );

const addressOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && isBareEmailAddress(value) ? value : null;

/** The `From` of a stored config. Returns null if it is not the config of an email channel. */
export function readFrom(
  config: JsonObject,
): { email: string; name: string | null; replyTo: string | null } | null {
  const { from, reply_to: replyTo } = config;
  const email = isJsonObject(from) ? addressOrNull(from.email) : null;
  if (!isJsonObject(from) || email === null) return null;
  const name = typeof from.name === 'string' ? from.name : null;
  return { email, name, replyTo: addressOrNull(replyTo) };
}
