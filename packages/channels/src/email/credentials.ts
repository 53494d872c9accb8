import {
  type ChannelIssue,
  type CredentialChanges,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '@postrider/domain';
import type { GivenCredentials } from '../channel.ts';
import { isGiven } from '../settings.ts';
import { accountsOf, type MailAccount } from './accounts.ts';
import type { EmailConfig } from './config.ts';
import type { EmailCredential, EmailProvider } from './provider.ts';

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

/**
 * The first changed setting of those that determine where a credential is sent. Host names are compared
 * case-insensitively.
 */
function changedDestination(
  { sentBy }: EmailCredential,
  before: JsonObject,
  after: JsonObject,
): string | undefined {
  const textOf = (value: JsonValue | undefined) => String(value ?? '').toLowerCase();
  return sentBy.find((field) => textOf(fieldIn(before, field)) !== textOf(fieldIn(after, field)));
}

/** Whether settings require or allow a credential. */
interface Wanted {
  readonly isWanted: boolean;
  /** Whether the credential may be set. */
  readonly isAllowed: boolean;
  readonly partner: string | null;
}

function wantedBy({ required, allowedWith }: EmailCredential, settings: JsonObject): Wanted {
  const partner = allowedWith ?? (typeof required === 'string' ? required : null);
  if (partner === null) return { isWanted: required === true, isAllowed: true, partner };
  const isAllowed = isGiven(fieldIn(settings, partner));
  return { isWanted: isAllowed && allowedWith === undefined, isAllowed, partner };
}

interface OneChange {
  /** The change to store; undefined if the credential stays as it is. */
  readonly change?: string | null;
  readonly issues: readonly ChannelIssue[];
}

interface Sent {
  readonly settings: JsonObject;
  readonly given: JsonValue | undefined;
  /** The account's settings before the request; null if it is new or had another provider. */
  readonly earlier: JsonObject | null;
  readonly isStored: boolean;
}

/** The change of one credential of an account. */
function changeOf(credential: EmailCredential, { settings, given, earlier, isStored }: Sent): OneChange {
  const { field, label, replacedBy } = credential;
  const dropped: OneChange = { issues: [], ...(isStored ? { change: null } : {}) };
  const required = (name: string, message: string): OneChange => ({
    issues: [{ path: `/${name}`, code: 'required', message }],
  });
  if (replacedBy !== undefined && isGiven(fieldIn(settings, replacedBy))) {
    if (typeof given !== 'string') return dropped;
    const message = `must be left out: ${replacedBy} replaces it`;
    return { ...dropped, issues: [{ path: `/${field}`, code: 'invalid_value', message }] };
  }
  const { isWanted, isAllowed, partner } = wantedBy(credential, settings);
  const isKept = isStored && earlier !== null && given === undefined;
  const has = isKept || typeof given === 'string';
  if (isWanted && !has) {
    return required(field, partner ? `is required together with ${partner}` : 'is required');
  }
  // A credential nested in the setting that it depends on is removed with that setting.
  if (has && !isAllowed && !field.startsWith(`${partner}/`)) {
    return required(String(partner), `is required together with ${field}`);
  }
  if (!has || !isAllowed) return dropped;
  if (typeof given === 'string') {
    return { change: given, issues: credential.issuesOf?.(given, settings) ?? [] };
  }
  const moved = earlier && changedDestination(credential, earlier, settings);
  if (!moved) return { issues: [] };
  return required(
    field,
    `is required again because the ${moved} changes: a stored ${label} is kept only for the server or certificate that it was given for`,
  );
}

/**
 * The credentials of an email channel: those of each account's provider. A stored credential stays as long as the
 * account of that name keeps its provider, and is never sent to another destination.
 */
export function emailCredentials(providers: readonly EmailProvider[]): GivenCredentials<EmailConfig> {
  const byName = (config: JsonObject | EmailConfig) =>
    new Map(accountsOf(providers, config).map((account) => [account.name, account]));
  return {
    // The first release had only SMTP, with the password as the only credential.
    inSecretColumn: credentialName('smtp', 'password'),
    change(before, { given, config }) {
      const stored = before?.credentials ?? new Set<string>();
      const earlierByName = before ? byName(before.config) : new Map<string, MailAccount>();
      const givenByName = byName(given);
      const issues: ChannelIssue[] = [];
      // Remove credentials that the config no longer uses.
      const changes = new Map<string, string | null>([...stored].map((name) => [name, null]));
      for (const { name, provider, settings, path } of accountsOf(providers, config)) {
        const earlier = earlierByName.get(name);
        const asked = givenByName.get(name);
        for (const credential of provider.credentials) {
          const key = credentialName(name, credential.field);
          const one = changeOf(credential, {
            settings,
            given: asked?.provider === provider ? fieldIn(asked.settings, credential.field) : undefined,
            earlier: earlier?.provider === provider ? earlier.settings : null,
            isStored: stored.has(key),
          });
          issues.push(...one.issues.map((issue) => ({ ...issue, path: `${path}${issue.path}` })));
          if (one.change === undefined) changes.delete(key);
          else changes.set(key, one.change);
        }
      }
      return { changes: Object.fromEntries(changes) satisfies CredentialChanges, issues };
    },
  };
}
