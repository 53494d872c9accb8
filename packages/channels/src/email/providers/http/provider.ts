import type { Credential } from '../../../bound-credentials.ts';
import { NONE } from '../../../command.ts';
import { serviceUrlProblem } from '../../../host.ts';
import { secretText } from '../../../schema.ts';
import { checked, defineSettings, type Setting } from '../../../settings.ts';
import { defineEmailProvider, type EmailProvider } from '../../provider.ts';
import type { ProviderApi } from './request.ts';

interface TextSetting {
  readonly description: string;
  /** Required if true, otherwise optional. */
  readonly isRequired?: boolean;
  readonly default?: string;
  /** The only allowed values. */
  readonly choices?: readonly string[];
  readonly maxLength?: number;
  /** Pattern of values without `choices`. */
  readonly pattern?: RegExp;
  /** The message for a value that does not match the pattern, such as `must be a domain`. */
  readonly must?: string;
  /** Checks that a pattern cannot express. Returns the message, or null. */
  problemOf?(value: string): string | null;
}

/** A credential of a provider: a text that is stored encrypted and never shown. */
interface TextCredential extends Omit<Credential, 'sentBy'> {
  readonly description: string;
  /** Whether requests to the service contain it. If so, a stored one is not sent to another `endpoint`. */
  readonly isSent: boolean;
}

/** The definition of an email provider with an HTTP API. Its name is also the prefix of the command-line options. */
interface HttpProviderDefinition
  extends Pick<EmailProvider, 'name' | 'keylessField' | 'feedback' | 'maxFeedbackBytes'> {
  readonly label: string;
  readonly settings: Readonly<Record<string, TextSetting>>;
  readonly credentials: Readonly<Record<string, TextCredential>>;
  /** Rules on several settings. */
  readonly rules?: EmailProvider<Settings>['config']['rules'];
  /** The request that sends a mail, and the meaning of its responses. */
  readonly api: ProviderApi;
}

type Settings = Readonly<Record<string, string>>;

/** Replaces the provider's public address, for example for a test server. */
const ENDPOINT: TextSetting = {
  description:
    'The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored ' +
    'credential must be given again when it changes.',
  problemOf: serviceUrlProblem,
};

const MAX_SETTING_LENGTH = 255;

const kebab = (name: string) => name.replaceAll('_', '-');

function toSetting(provider: string, label: string, name: string, setting: TextSetting): Setting {
  const { description, isRequired = false, choices, maxLength = MAX_SETTING_LENGTH } = setting;
  const { pattern = /^/, must = 'is not valid', problemOf = () => null } = setting;
  const orNone = <None>(none: None) => (isRequired ? [] : [none]);
  const [about = description] = description.split('. ');
  return {
    isRequired,
    schema: {
      type: isRequired ? 'string' : ['string', 'null'],
      ...(choices ? { enum: [...choices, ...orNone(null)] } : { minLength: 1, maxLength }),
      ...(isRequired ? {} : { default: setting.default ?? null }),
      description,
    },
    shown: description,
    issuesOf: checked((value) => (pattern.test(value) ? problemOf(value) : must)),
    option: {
      flags: `--${provider}-${kebab(name)} <text>`,
      description: `${label}: ${about.replace(/\.$/, '')}${isRequired ? '' : `; ${NONE}: the default`}`,
      ...(choices ? { choices: [...choices, ...orNone(NONE)] } : {}),
      canBeNone: !isRequired,
    },
  };
}

function toCredentialSetting(
  provider: string,
  label: string,
  name: string,
  { description, isSent, ...credential }: TextCredential,
): Setting {
  const { label: about, required } = credential;
  const canBeNone = required !== true;
  const variable = `${provider}_${name}`.toUpperCase();
  const removal = canBeNone ? `; ${NONE} removes it` : '';
  return {
    schema: secretText(
      `${description} Stored encrypted and never shown. In a PATCH: if left out, it stays${
        canBeNone ? ', null removes it.' : '.'
      }`,
    ),
    credential: { ...credential, sentBy: isSent ? ['endpoint'] : [] },
    option: {
      flags: `--${provider}-${kebab(name)}-from <source>`,
      description: `${label}: where the ${about} is read: env is the variable ${variable}${removal}`,
      variable,
      canBeNone,
    },
  };
}

/**
 * Defines a provider with an HTTP API. Its schema, rules, presentation and command-line options are derived from its
 * settings and credentials. Every such provider also has the setting `endpoint`.
 */
export function defineHttpProvider(definition: HttpProviderDefinition): EmailProvider {
  const { name: provider, label, settings: given, credentials, rules, api, ...rest } = definition;
  const settings = Object.entries({ ...given, endpoint: ENDPOINT });
  const own = defineSettings<Settings>(
    Object.fromEntries([
      ...settings.map(([name, setting]) => [name, toSetting(provider, label, name, setting)]),
      ...Object.entries(credentials).map(([name, credential]) => [
        name,
        toCredentialSetting(provider, label, name, credential),
      ]),
    ]),
    {
      description: `The account at ${label}.`,
      shownDescription: `The account at ${label}. Credentials are never shown.`,
      rules,
    },
  );
  return defineEmailProvider<Settings>({
    ...rest,
    name: provider,
    ...own,
    async loadClient() {
      const { createHttpProviderClient } = await import('./client.ts');
      return { createClient: (options) => createHttpProviderClient({ ...api, label }, options) };
    },
  });
}
