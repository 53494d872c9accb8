import type { CreateCommand, OptionValues } from '@postrider/channels';
import { ON_EXHAUSTED, type OnExhausted, ORDERINGS, type Ordering } from '@postrider/domain';
import { type Command, Option } from 'commander';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import { fieldsOf } from './kind-commands.ts';
import {
  given,
  type JsonObject,
  jsonObject,
  jsonObjectOrNone,
  limit,
  list,
  type NONE,
  nullable,
  rate,
  readJsonObject,
} from './values.ts';

/** Options for channels of every kind. A command also has the options of its kind. */
export interface ChannelOptions extends OptionValues {
  readonly name?: string;
  readonly eventKeys?: string[];
  readonly retry?: JsonObject;
  readonly filter?: JsonObject | typeof NONE;
  readonly failurePolicy?: JsonObject;
  readonly ordering?: Ordering;
  readonly onExhausted?: OnExhausted;
  readonly maxPerSecond?: number | typeof NONE;
  readonly maxInFlight?: number | typeof NONE;
  readonly configFile?: string;
  readonly disable?: boolean;
  readonly enable?: boolean;
}

/** Adds the options that channels of every kind have. */
export function withChannelOptions(command: Command): Command {
  return command
    .option(
      '--event-keys <patterns>',
      'the events that it takes, such as order.*,invoice.paid; * for all',
      list,
    )
    .option(
      '--retry <json>',
      'the retry policy, such as {"max_attempts":3,"delays_seconds":[1,10]}',
      jsonObject,
    )
    .option(
      '--filter <json>',
      'which of these events it takes, such as {"payload":{"amount":{"$gte":100}}}; none: all',
      jsonObjectOrNone,
    )
    .option(
      '--failure-policy <json>',
      'when it warns and pauses, such as {"warn_after":600,"pause_after":3600}',
      jsonObject,
    )
    .addOption(
      new Option(
        '--ordering <by>',
        'key: sends the events of an ordering key one at a time, in order',
      ).choices(ORDERINGS),
    )
    .addOption(
      new Option(
        '--on-exhausted <what>',
        'what happens after a run of a key has failed permanently: block holds later runs, skip continues',
      ).choices(ON_EXHAUSTED),
    )
    .option(
      '--max-per-second <number>',
      'the most attempts that start per second, such as 0.5; none: unlimited',
      rate,
    )
    .option(
      '--max-in-flight <number>',
      'the most attempts that are open at the same time; none: unlimited',
      limit,
    )
    .option('--config-file <path>', 'fields of the config as JSON; - is stdin. The other options override it')
    .option('--disable', 'create it disabled or disable it');
}

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
  return given({
    name: options.name,
    enabled: enabled(options),
    event_keys: options.eventKeys,
    retry: options.retry,
    filter: nullable(options.filter),
    failure_policy: options.failurePolicy,
    ordering: options.ordering,
    on_exhausted: options.onExhausted,
    max_per_second: nullable(options.maxPerSecond),
    max_in_flight: nullable(options.maxInFlight),
    config: Object.keys(config).length === 0 ? undefined : config,
  });
}
