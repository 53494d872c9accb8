import { type ChannelIssue, isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';
import type { CredentialChanges, GivenCredentials } from '../channel.ts';
import type { EmailConfig } from './config.ts';
import type { EmailCredential, EmailProvider } from './provider.ts';
import { type ConfiguredSender, sendersOf } from './senders.ts';

/** The name by which a sender's credential is stored. */
const credentialName = (sender: string, field: string) => `senders/${sender}/${field}`;

/** The opened credentials of a sender, by the names of its provider's fields. */
export function credentialsOf(
  { name, provider }: Pick<ConfiguredSender, 'name' | 'provider'>,
  credentials: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const { field } of provider.credentials) {
    const value = credentials[credentialName(name, field)];
    if (value !== undefined) own[field] = value;
  }
  return own;
}

/** What settings have at a field, or at a field of an object in them. Null is what removes it. */
function valueAt(settings: JsonObject, field: string): JsonValue | undefined {
  let value: JsonValue | undefined = settings;
  for (const part of field.split('/')) {
    if (value === undefined || !isJsonObject(value)) return value === null ? null : undefined;
    value = value[part];
  }
  return value;
}

const isSet = (value: JsonValue | undefined) => value !== undefined && value !== null;

/** The first of the settings by which a credential is sent that changes. Names of hosts have no case. */
function changedDestination(
  { sentBy }: EmailCredential,
  before: JsonObject,
  after: JsonObject,
): string | undefined {
  const textOf = (value: JsonValue | undefined) => String(value ?? '').toLowerCase();
  return sentBy.find((field) => textOf(before[field]) !== textOf(after[field]));
}

/** Whether settings want a credential, by the setting that it goes with. */
interface Wanted {
  readonly isWanted: boolean;
  /** Whether it may be there. */
  readonly isAllowed: boolean;
  readonly partner: string | null;
}

function wantedBy({ required }: EmailCredential, settings: JsonObject): Wanted {
  if (typeof required !== 'string') {
    return { isWanted: required === true, isAllowed: true, partner: null };
  }
  const isWanted = isSet(settings[required]);
  return { isWanted, isAllowed: isWanted, partner: required };
}

interface OneChange {
  /** Undefined when it stays as it is. */
  readonly change?: string | null;
  readonly issues: readonly ChannelIssue[];
}

/**
 * What becomes of one credential of a sender.
 * @param earlier the sender's settings until now; null when it is new, or was of another provider
 */
function changeOf(
  credential: EmailCredential,
  {
    settings,
    given,
    earlier,
    isStored,
  }: {
    settings: JsonObject;
    given: JsonValue | undefined;
    earlier: JsonObject | null;
    isStored: boolean;
  },
): OneChange {
  const { field, label } = credential;
  const { isWanted, isAllowed, partner } = wantedBy(credential, settings);
  const isKept = isStored && earlier !== null && given === undefined;
  const has = isKept || typeof given === 'string';
  if (isWanted && !has) {
    const message = partner ? `is required together with ${partner}` : 'is required';
    return { issues: [{ path: `/${field}`, code: 'required', message }] };
  }
  // A credential inside of the setting that it goes with is removed with it.
  if (has && !isAllowed && !field.startsWith(`${partner}/`)) {
    return {
      issues: [{ path: `/${partner}`, code: 'required', message: `is required together with ${field}` }],
    };
  }
  if (!has || !isAllowed) return { issues: [], ...(isStored ? { change: null } : {}) };
  if (typeof given === 'string') {
    return { change: given, issues: credential.issuesOf?.(given, settings) ?? [] };
  }
  const moved = earlier && changedDestination(credential, earlier, settings);
  if (!moved) return { issues: [] };
  const message = `is required again because the ${moved} changes: a stored ${label} is not sent to another server`;
  return { issues: [{ path: `/${field}`, code: 'required', message }] };
}

/**
 * The credentials of an email channel: those of each sender's provider. One that is stored stays with the sender of its
 * name while that has the same provider, and is sent nowhere else than it was given for.
 */
export function emailCredentials(providers: readonly EmailProvider[]): GivenCredentials<EmailConfig> {
  const byName = (config: JsonObject | EmailConfig) =>
    new Map(sendersOf(providers, config).map((sender) => [sender.name, sender]));
  return {
    // An SMTP server was the only way to send, and its password the only credential.
    inSecretColumn: credentialName('smtp', 'password'),
    change(before, { given, config }) {
      const stored = before?.credentials ?? new Set<string>();
      const earlierByName = before ? byName(before.config) : new Map<string, ConfiguredSender>();
      const givenByName = byName(given);
      const issues: ChannelIssue[] = [];
      // What the config has no use for any more goes.
      const changes = new Map<string, string | null>([...stored].map((name) => [name, null]));
      for (const { name, provider, settings, path } of sendersOf(providers, config)) {
        const earlier = earlierByName.get(name);
        const asked = givenByName.get(name);
        for (const credential of provider.credentials) {
          const key = credentialName(name, credential.field);
          const one = changeOf(credential, {
            settings,
            given: asked?.provider === provider ? valueAt(asked.settings, credential.field) : undefined,
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
