import {
  type ChannelIssue,
  type ChannelRule,
  checked,
  type JsonObject,
  type JsonValue,
  timeoutSchema,
} from '@postrider/domain';
import type { Credential, NamedCredential } from './bound-credentials.ts';
import {
  type CommandIo,
  type CommandOption,
  type CreateCommand,
  NONE,
  type OptionValues,
  parseWholeNumber,
  part,
  readGivenSecret,
} from './command.ts';
import { type JsonSchema, nullable, record } from './schema.ts';

/** A command-line option that gives a setting its value. A flag `--no-…` gives false. */
export interface SettingOption extends CommandOption {
  /** The environment variable from which a secret is read, unless it is read from stdin. */
  readonly variable?: string;
  /** Whether the value is the path of a file with the text. */
  readonly isFile?: boolean;
  /** Whether `none` removes the setting, or the group that it is the first setting of. */
  readonly canBeNone?: boolean;
}

type SettingsCommand = Pick<CreateCommand, 'options' | 'fieldsOf'>;

/** A field of a config, for requests, the stored form, responses and the command line. */
// biome-ignore lint/suspicious/noExplicitAny: a table has settings of several types
export interface Setting<Value = any> {
  /** Schema in a request. Responses show its `default` for a setting that was not given. */
  readonly schema: JsonSchema;
  /** Schema in a response, or its description if the type is that of requests. Left out if the setting is not stored. */
  readonly shown?: string | JsonSchema;
  readonly isRequired?: boolean;
  readonly credential?: Credential;
  /** Whether the default is stored if no value is given, so that another default of a later release does not apply. */
  readonly storesDefault?: boolean;
  /** Settings of an object, which is null if it is not set. */
  readonly group?: Settings;
  /** The stored value, if it is not the given one. */
  storedOf?(value: JsonValue | undefined, settings: JsonObject): JsonValue | undefined;
  /** The value in a response, if it is not the stored one or the default. */
  shownOf?(settings: JsonObject): JsonValue | undefined;
  /** Issues of a given value. */
  issuesOf?(path: string, value: Value): readonly ChannelIssue[];
  /** Whether a response may be without it. */
  readonly mayBeAbsent?: boolean;
  readonly option?: SettingOption;
  /** Options that give the value, instead of one. */
  readonly command?: SettingsCommand;
  /** The option that gives false, if there is also one for true. */
  readonly negation?: CommandOption;
}

export type Settings = Readonly<Record<string, Setting>>;

/** A table with each field of a stored config, and possibly further ones, such as secrets. */
export type SettingsOf<Config> = Settings & { readonly [Name in keyof Config]-?: Setting };

export { checked };

/** Issues of a text that does not match a pattern; `must` says what it must be. */
export const matching = (pattern: RegExp, must: string) =>
  checked((text) => (pattern.test(text) ? null : must));

/** The time limit of an attempt. */
export const timeoutSetting = ({ defaultTimeoutMs }: { readonly defaultTimeoutMs: number }): Setting => {
  const schema = timeoutSchema(defaultTimeoutMs);
  return {
    schema,
    shown: schema.description,
    option: { flags: '--timeout-ms <n>', description: 'time limit of one attempt', parse: parseWholeNumber },
  };
};

/** The option for a secret of a channel kind. @param label such as `the password` */
export const secretOption = (name: string, label: string, variable: string): SettingOption => ({
  flags: `--${name}-from <source>`,
  description: `where to read ${label}: the environment variable ${variable}, or stdin`,
  variable,
});

/** An option whose value `none` removes the setting. @param instead what applies then */
export const removableOption = (flags: string, description: string, instead: string): SettingOption => ({
  flags,
  description: `${description}; ${NONE}: ${instead}`,
  canBeNone: true,
});

const requiredIn = (settings: Settings) => Object.keys(settings).filter((name) => settings[name]?.isRequired);

const objectSchema = (type: string | string[], settings: Settings, more: JsonSchema = {}) => ({
  type,
  required: requiredIn(settings),
  additionalProperties: false,
  ...more,
  properties: Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])),
});

type Group = Pick<Setting, 'schema' | 'shown' | 'group'>;

/** An object of settings. */
export const settingObject = (group: Settings, shownDescription: string): Group => ({
  schema: objectSchema('object', group),
  shown: shownRecord(shownDescription, group),
  group,
});

/** An object of settings, null if it is not set. */
export const settingGroup = (description: string, shownDescription: string, group: Settings): Group => ({
  schema: objectSchema(['object', 'null'], group, { default: null, description }),
  shown: nullable(shownRecord(shownDescription, group)),
  group,
});

/** A setting that only some types of an object have. */
interface SettingOfTypes extends Setting {
  readonly of: readonly string[];
  /** The types that require it. */
  readonly requiredFor?: readonly string[];
}

/** An object of settings, null if it is not set, whose `type` decides which others it has. Responses show those that are set. */
export function settingByType(
  description: string,
  shownDescription: string,
  type: Setting,
  others: Readonly<Record<string, SettingOfTypes>>,
): Setting {
  const issuesOf = (path: string, given: JsonObject) => {
    const issuesIf = (
      isWrong: (setting: SettingOfTypes, isGiven: boolean) => boolean | undefined,
      issue: Omit<ChannelIssue, 'path'>,
    ) =>
      Object.entries(others)
        .filter(([name, setting]) => isWrong(setting, isGiven(given[name])))
        .map(([name]) => ({ path: `${path}/${name}`, ...issue }));
    const chosen = String(given.type);
    return [
      ...issuesIf(({ requiredFor }, isSet) => !isSet && requiredFor?.includes(chosen), {
        code: 'required',
        message: `is required for ${chosen}`,
      }),
      ...issuesIf(({ of }, isSet) => isSet && !of.includes(chosen), {
        code: 'invalid_value',
        message: `does not belong to ${chosen}: set it to null`,
      }),
    ];
  };
  const group = Object.fromEntries(
    Object.entries(others).map(([name, setting]) => [name, { ...setting, mayBeAbsent: true }]),
  );
  return {
    ...settingGroup(description, shownDescription, { type: { isRequired: true, ...type }, ...group }),
    issuesOf,
  };
}

function shownSchema({ shown, mayBeAbsent, schema: { type } }: Setting): JsonSchema | undefined {
  if (typeof shown !== 'string') return shown;
  const [first, isNullable] = [type].flat();
  const schema = { type: first, description: shown };
  return isNullable && !mayBeAbsent ? nullable(schema) : schema;
}

export const isGiven = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== null;

/** The entries of the settings that are stored, with a value for each. Those without a value are left out. */
function mapShown<Value>(
  settings: Settings,
  map: (setting: Setting, name: string) => Value | undefined,
): Record<string, Value> {
  const shown = Object.entries(settings).filter(([, setting]) => setting.shown !== undefined);
  return Object.fromEntries(
    shown.flatMap(([name, setting]): [string, Value][] => {
      const value = map(setting, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const shownRecord = (description: string, settings: Settings): JsonSchema => {
  const shown = mapShown(settings, shownSchema);
  const required = Object.keys(shown).filter((name) => !settings[name]?.mayBeAbsent);
  return { ...record(description, shown), required };
};

function store(settings: Settings, given: JsonObject): JsonObject {
  return mapShown(settings, ({ schema, group, storesDefault, storedOf }, name) => {
    const value = given[name];
    if (storedOf) return storedOf(value, given);
    if (!isGiven(value)) return storesDefault ? schema.default : undefined;
    return group ? store(group, value as JsonObject) : value;
  });
}

function show(settings: Settings, stored: JsonObject): JsonObject {
  return mapShown<JsonValue>(settings, ({ schema, group, mayBeAbsent, shownOf }, name) => {
    if (shownOf) return shownOf(stored);
    const value = stored[name];
    if (!isGiven(value)) return mayBeAbsent ? undefined : (schema.default ?? null);
    return group ? show(group, value as JsonObject) : value;
  });
}

function issuesIn(
  path: string,
  { group = {}, issuesOf }: Setting,
  value: JsonValue | undefined,
): ChannelIssue[] {
  if (!isGiven(value)) return [];
  const inner = Object.entries(group).flatMap(([name, setting]) =>
    issuesIn(`${path}/${name}`, setting, (value as JsonObject)[name]),
  );
  return [...(issuesOf?.(path, value) ?? []), ...inner];
}

const withChoices = ({ variable, ...option }: SettingOption): CommandOption =>
  variable === undefined
    ? option
    : { ...option, choices: ['env', 'stdin', ...(option.canBeNone ? [NONE] : [])] };

const optionsOf = (settings: Settings): CommandOption[] =>
  Object.values(settings).flatMap(({ option, negation, command, group = {} }) => [
    ...(command?.options ?? []),
    ...(option ? [withChoices(option)] : []),
    ...(negation ? [negation] : []),
    ...optionsOf(group),
  ]);

const credentialsIn = (settings: Settings, at = ''): NamedCredential[] =>
  Object.entries(settings).flatMap(([name, { credential, group = {} }]) => [
    ...(credential ? [{ field: `${at}${name}`, ...credential }] : []),
    ...credentialsIn(group, `${at}${name}/`),
  ]);

/** The name under which commander stores the value of an option. */
function nameOf({ flags }: CommandOption): string {
  const [flag = ''] = flags.replace(/^--(?:no-)?/, '').split(' ');
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

async function givenBy(option: SettingOption, options: OptionValues, io: CommandIo): Promise<unknown> {
  const { flags, variable, isFile, canBeNone } = option;
  const value = options[nameOf(option)];
  // Commander's value for an option `--no-…` that was not given is true.
  if (flags.startsWith('--no-')) return value === false ? value : undefined;
  if (canBeNone && value === NONE) return null;
  if (variable !== undefined) return readGivenSecret(io, value, variable);
  return isFile && value !== undefined ? io.readText(String(value)) : value;
}

/** The settings that options give; undefined if none was given. */
async function givenIn(settings: Settings, options: OptionValues, io: CommandIo) {
  const fields: [string, unknown][] = [];
  for (const [name, { group, option, command }] of Object.entries(settings)) {
    if (command) fields.push([name, await command.fieldsOf(options, io)]);
    else if (group) fields.push([name, await groupBy(group, options, io)]);
    else if (option) fields.push([name, await givenBy(option, options, io)]);
  }
  return part(Object.fromEntries(fields));
}

/** Null if the first setting of the group is null. */
async function groupBy(group: Settings, options: OptionValues, io: CommandIo) {
  const given = await givenIn(group, options, io);
  const [first = ''] = Object.keys(group);
  return given?.[first] === null ? null : given;
}

/**
 * Derives from a table of settings what a channel kind or a provider needs: the schemas of requests and responses, the rules,
 * the stored form, the credentials, and the options of the command line.
 * @param rules those on several settings; paths start at the config
 */
export function defineSettings<Config>(
  settings: SettingsOf<Config>,
  {
    description,
    shownDescription = description,
    rules = [],
  }: {
    readonly description?: string;
    readonly shownDescription?: string;
    readonly rules?: readonly ChannelRule<Config>[] | undefined;
  },
) {
  const required = requiredIn(settings);
  const present = (config: Config) => show(settings, config as JsonObject);
  const toStored = (config: JsonObject) => store(settings, config) as Config;
  return {
    config: {
      schema: objectSchema('object', settings, description === undefined ? {} : { description }),
      rules: [
        ...rules,
        ...Object.entries(settings).flatMap(([name, setting]): ChannelRule<Config>[] => {
          if (!setting.issuesOf && !setting.group) return [];
          const path = `/${name}`;
          return [
            {
              reads: [path],
              issuesOf: (config) => issuesIn(path, setting, (config as JsonObject)[name]),
            },
          ];
        }),
      ],
      toStored,
      presentedSchema: shownRecord(shownDescription ?? '', settings),
      present,
      presentForAudit: present,
    },
    /**
     * Parses a stored config. Returns null if a required setting is missing. Values have the types that `toStored` gave them: they
     * are not checked again.
     */
    read: (config: JsonObject) => (required.every((name) => isGiven(config[name])) ? toStored(config) : null),
    credentials: credentialsIn(settings),
    command: {
      options: optionsOf(settings),
      fieldsOf: (options: OptionValues, io: CommandIo) => givenIn(settings, options, io),
    },
  };
}
