import { type JsonObject, valueAt } from '@postrider/domain';
import { boundCredentials, type NamedCredential, type WantedCredential } from '../bound-credentials.ts';
import type { GivenCredentials } from '../channel.ts';
import { isGiven } from '../settings.ts';
import { accountsOf, type MailAccount } from './accounts.ts';
import type { EmailConfig } from './config.ts';
import type { EmailProvider } from './provider.ts';

const credentialName = (account: string, field: string) => `senders/${account}/${field}`;

/** An account's decrypted credentials, by the field names of its provider. */
export function credentialsOf(
  { name, provider }: Pick<MailAccount, 'name' | 'provider'>,
  credentials: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const { field } of provider.credentials) {
    const value = credentials[credentialName(name, field)];
    if (value !== undefined) own[field] = value;
  }
  return own;
}

/** The value of a field, or of a nested field such as `dkim/private_key`. */
const fieldIn = (settings: JsonObject, field: string) => valueAt(settings, field.split('/'));
const hasField = (settings: JsonObject, field: string) => isGiven(fieldIn(settings, field));

/** Why the settings do not allow a credential; undefined if they do. */
function refusalOf(
  { field, replacedBy, required, allowedWith }: NamedCredential,
  { settings, path }: MailAccount,
): WantedCredential['refusal'] {
  if (replacedBy !== undefined && hasField(settings, replacedBy)) {
    const message = `must be left out: ${replacedBy} replaces it`;
    return { issue: { path: `${path}/${field}`, code: 'invalid_value', message }, isOfStored: false };
  }
  const partner = allowedWith ?? required;
  if (typeof partner !== 'string' || hasField(settings, partner)) return undefined;
  const message = `is required together with ${field}`;
  // A credential nested in the setting that it depends on is removed with that setting.
  const isOfStored = !field.startsWith(`${partner}/`);
  return { issue: { path: `${path}/${partner}`, code: 'required', message }, isOfStored };
}

const wantedBy = (account: MailAccount): WantedCredential[] =>
  account.provider.credentials.map((credential) => {
    const { field, label, required, sentBy } = credential;
    const { name, provider, settings, path } = account;
    // Host names are compared case-insensitively.
    const bindings = sentBy.map((by) => [by, String(fieldIn(settings, by) ?? '').toLowerCase()]);
    return {
      name: credentialName(name, field),
      at: [...path.slice(1).split('/'), ...field.split('/')],
      boundTo: { provider: provider.name, ...Object.fromEntries(bindings) },
      label,
      requiredWith: typeof required === 'string' ? required : undefined,
      isOptional: required === undefined,
      refusal: refusalOf(credential, account),
      issuesOf: (value) => credential.issuesOf?.(value, settings) ?? [],
    };
  });

/**
 * The credentials of an email channel: those of each account's provider. A stored credential stays as long as the
 * account of that name keeps its provider, and is never sent to another destination.
 */
export const emailCredentials = (providers: readonly EmailProvider[]): GivenCredentials<EmailConfig> => ({
  // The first release had only SMTP, with the password as the only credential.
  inSecretColumn: credentialName('smtp', 'password'),
  ...boundCredentials((config) => accountsOf(providers, config).flatMap(wantedBy)),
});
