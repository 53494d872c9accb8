import type { ChannelIssue, JsonObject } from '@postrider/domain';
import { type CommandOption, NONE, orNull, part, readGivenSecret } from '../../../command.ts';
import { serviceUrlProblem } from '../../../host.ts';
import { type JsonSchema, nullable, record, secretText, text } from '../../../schema.ts';
import type { EmailFeedbackReader } from '../../feedback.ts';
import { defineEmailProvider, type EmailCredential, type EmailProvider } from '../../provider.ts';
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
interface TextCredential extends Pick<EmailCredential, 'label' | 'required' | 'replacedBy' | 'issuesOf'> {
  readonly description: string;
  /** Whether requests to the service contain it. If so, a stored one is not sent to another `endpoint`. */
  readonly isSent: boolean;
}

/** The definition of an email provider with an HTTP API. */
interface HttpProviderDefinition {
  /** The field of a config or sender, and the prefix of the command-line options. */
  readonly name: string;
  readonly label: string;
  readonly settings: Readonly<Record<string, TextSetting>>;
  readonly credentials: Readonly<Record<string, TextCredential>>;
  /** Rules on several settings. */
  readonly rules?: EmailProvider<Settings>['rules'];
  /** See {@link EmailProvider}. */
  readonly keylessField?: string;
  /** The request that sends a mail, and the meaning of its responses. */
  readonly api: ProviderApi;
  /** Verifies and parses the provider's webhooks. */
  readonly feedback: EmailFeedbackReader;
  /** See {@link EmailProvider}. */
  readonly maxFeedbackBytes?: number;
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

const settingSchema = (setting: TextSetting): JsonSchema => {
  const { description, isRequired, choices, maxLength = MAX_SETTING_LENGTH } = setting;
  const one = choices
    ? { enum: isRequired ? [...choices] : [...choices, null] }
    : { minLength: 1, maxLength };
  return {
    type: isRequired ? 'string' : ['string', 'null'],
    ...one,
    ...(isRequired ? {} : { default: setting.default ?? null }),
    description,
  };
};

const credentialSchema = ({ description, required }: TextCredential): JsonSchema =>
  secretText(
    `${description} Stored encrypted and never shown. In a PATCH: if left out, it stays${
      required === true ? '.' : ', null removes it.'
    }`,
  );

function settingIssues(name: string, setting: TextSetting, value: string): ChannelIssue[] {
  const { pattern, must = 'is not valid' } = setting;
  const message = pattern && !pattern.test(value) ? must : (setting.problemOf?.(value) ?? null);
  return message === null ? [] : [{ path: `/${name}`, code: 'invalid_format', message }];
}

const kebab = (name: string) => name.replaceAll('_', '-');
/** The name under which commander stores the value of a flag. */
const camel = (flag: string) => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function mapFields<From, To>(
  fields: Readonly<Record<string, From>>,
  map: (field: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field, name)]));
}

/**
 * Defines a provider with an HTTP API. Its schema, rules, presentation and command-line options are derived from its
 * settings and credentials. Every such provider also has the setting `endpoint`.
 */
export function defineHttpProvider(definition: HttpProviderDefinition): EmailProvider {
  const { name: provider, label, credentials, api, feedback } = definition;
  const settings: Readonly<Record<string, TextSetting>> = { ...definition.settings, endpoint: ENDPOINT };
  const variableOf = (credential: string) => `${provider}_${credential}`.toUpperCase();
  const settingOptions = Object.entries(settings).map(
    ([name, { description, choices, isRequired }]): CommandOption => {
      const [first = description] = description.split('. ');
      const given = isRequired ? first : `${first.replace(/\.$/, '')}; ${NONE}: the default`;
      return {
        flags: `--${provider}-${kebab(name)} <text>`,
        description: `${label}: ${given.replace(/\.$/, '')}`,
        ...(choices ? { choices: isRequired ? choices : [...choices, NONE] } : {}),
      };
    },
  );
  const credentialOptions = Object.entries(credentials).map(([name, credential]): CommandOption => {
    const removal = credential.required === true ? '' : `; ${NONE} removes it`;
    return {
      flags: `--${provider}-${kebab(name)}-from <source>`,
      description: `${label}: where the ${credential.label} is read: env is the variable ${variableOf(name)}${removal}`,
      choices: ['env', 'stdin', ...(credential.required === true ? [] : [NONE])],
    };
  });

  return defineEmailProvider<Settings>({
    name: provider,
    schema: {
      type: 'object',
      required: Object.keys(settings).filter((name) => settings[name]?.isRequired),
      additionalProperties: false,
      description: `The account at ${label}.`,
      properties: { ...mapFields(settings, settingSchema), ...mapFields(credentials, credentialSchema) },
    },
    rules: [
      ...Object.entries(settings).map(([name, setting]) => ({
        reads: [`/${name}`],
        issuesOf: (given: Settings) => {
          const value = given[name];
          return typeof value === 'string' ? settingIssues(name, setting, value) : [];
        },
      })),
      ...(definition.rules ?? []),
    ],
    toStored: (given: JsonObject) =>
      Object.fromEntries(
        Object.keys(settings).flatMap((name): [string, string][] => {
          const value = given[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      ),
    presentedSchema: record(
      `The account at ${label}. Credentials are never shown.`,
      mapFields(settings, ({ description, isRequired }) =>
        isRequired ? text(description) : nullable(text(description)),
      ),
    ),
    present: (stored) => mapFields(settings, (setting, name) => stored[name] ?? setting.default ?? null),
    credentials: Object.entries(credentials).map(
      ([field, { label: about, required, replacedBy, issuesOf, isSent }]) => ({
        field,
        label: about,
        ...(required === undefined ? {} : { required }),
        ...(replacedBy === undefined ? {} : { replacedBy }),
        sentBy: isSent ? ['endpoint'] : [],
        ...(issuesOf ? { issuesOf } : {}),
      }),
    ),
    ...(definition.keylessField === undefined ? {} : { keylessField: definition.keylessField }),
    errorCodes: [],
    options: [...settingOptions, ...credentialOptions],
    async settingsOf(options, io) {
      const fields: [string, unknown][] = Object.keys(settings).map((name) => [
        name,
        orNull(options[camel(`${provider}-${kebab(name)}`)]),
      ]);
      for (const name of Object.keys(credentials)) {
        const source = options[camel(`${provider}-${kebab(name)}-from`)];
        fields.push([name, (await readGivenSecret(io, source, variableOf(name))) ?? orNull(source)]);
      }
      return part(Object.fromEntries(fields));
    },
    async loadSender() {
      const { createProviderSender } = await import('./sender.ts');
      return { createSender: (options) => createProviderSender({ ...api, label }, options) };
    },
    loadFeedback: async () => feedback,
    ...(definition.maxFeedbackBytes === undefined ? {} : { maxFeedbackBytes: definition.maxFeedbackBytes }),
  });
}
