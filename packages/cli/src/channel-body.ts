import type { CreateCommand, OptionValues } from '@postrider/channels';
import { ON_EXHAUSTED, ORDERINGS } from '@postrider/domain';
import { Option } from 'commander';
import { UsageError } from './exit-codes.ts';
import { fieldOption, fieldsIn } from './field-options.ts';
import type { Io } from './io.ts';
import { fieldsOf } from './kind-commands.ts';
import { given, type JsonObject, jsonObject, list, rate, readJsonObject, wholeNumber } from './values.ts';

/** Options for channels of every kind, besides {@link FIELDS}. A command also has the options of its kind. */
export interface ChannelOptions extends OptionValues {
  readonly name?: string;
  readonly configFile?: string;
  readonly disable?: boolean;
  readonly enable?: boolean;
}

const FIELDS = [
  fieldOption(
    '--event-keys <patterns>',
    'the events that it takes, such as order.*,invoice.paid; * for all',
    { read: list },
  ),
  fieldOption('--retry <json>', 'the retry policy, such as {"max_attempts":3,"delays_seconds":[1,10]}', {
    read: jsonObject,
  }),
  fieldOption(
    '--filter <json>',
    'which of these events it takes, such as {"payload":{"amount":{"$gte":100}}}; none: all',
    { read: jsonObject, isNullable: true },
  ),
  fieldOption(
    '--failure-policy <json>',
    'when it warns and pauses, such as {"warn_after":600,"pause_after":3600}',
    { read: jsonObject },
  ),
  fieldOption('--ordering <by>', 'key: sends the events of an ordering key one at a time, in order', {
    choices: ORDERINGS,
  }),
  fieldOption(
    '--on-exhausted <what>',
    'what happens after a run of a key has failed permanently: block holds later runs, skip continues',
    { choices: ON_EXHAUSTED },
  ),
  fieldOption(
    '--max-per-second <number>',
    'the most attempts that start per second, such as 0.5; none: unlimited',
    { read: rate, isNullable: true },
  ),
  fieldOption(
    '--max-in-flight <number>',
    'the most attempts that are open at the same time; none: unlimited',
    { read: wholeNumber, isNullable: true },
  ),
];

/** The options that channels of every kind have. */
export const CHANNEL_OPTIONS: readonly Option[] = [
  ...FIELDS.map(({ option }) => option),
  new Option(
    '--config-file <path>',
    'fields of the config as JSON; - is stdin. The other options override it',
  ),
  new Option('--disable', 'create it disabled or disable it'),
];

function enabled({ enable, disable }: ChannelOptions): boolean | undefined {
  if (enable && disable) throw new UsageError('Use either --enable or --disable.');
  return enable ? true : disable ? false : undefined;
}

/** The given fields of a channel in the API's form. The config is that of one of these kinds. */
export async function channelBody(
  io: Io,
  ofKinds: readonly CreateCommand[],
  options: ChannelOptions,
): Promise<JsonObject> {
  const file = options.configFile === undefined ? {} : await readJsonObject(io, options.configFile);
  const config = { ...file, ...given(await fieldsOf(io, ofKinds, options)) };
  return {
    ...fieldsIn(FIELDS, options),
    ...given({
      name: options.name,
      enabled: enabled(options),
      config: Object.keys(config).length === 0 ? undefined : config,
    }),
  };
}
