import type {
  ChannelKindDefinition,
  ChannelRegistry,
  CreateCommand,
  OptionValues,
} from '@postrider/channels';
import type { ChannelInput } from '@postrider/client';
import { ON_EXHAUSTED, ORDERINGS } from '@postrider/domain';
import { Option } from 'commander';
import type { SessionCommand } from '../command.ts';
import { awaitMessage } from '../deliveries.ts';
import { UsageError } from '../exit-codes.ts';
import { fieldOption, fieldsIn } from '../field-options.ts';
import type { Io } from '../io.ts';
import { fieldsOf, optionsOf } from '../kind-commands.ts';
import { record, recordWithRuns } from '../output/table.ts';
import type { Session } from '../session.ts';
import { given, type JsonObject, jsonObject, list, rate, readJsonObject, wholeNumber } from '../values.ts';
import { SECRET_SHOWN_ONCE } from './resources.ts';

/** Options for channels of every kind, besides {@link FIELDS}. A command also has the options of its kind. */
interface ChannelOptions extends OptionValues {
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
const CHANNEL_OPTIONS: readonly Option[] = [
  ...FIELDS.map(({ option }) => option),
  new Option(
    '--config-file <path>',
    'fields of the config as a JSON file; - is stdin. Other options override them',
  ),
  new Option('--disable', 'create it disabled, or disable it'),
];

function enabled({ enable, disable }: ChannelOptions): boolean | undefined {
  if (enable && disable) throw new UsageError('Use either --enable or --disable.');
  return enable ? true : disable ? false : undefined;
}

/** The given fields of a channel in the API's form. The config is that of one of these kinds. */
async function channelBody(
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

type NewChannelOptions = ChannelOptions & {
  readonly environment: string;
  readonly name: string;
  readonly consumer?: string;
};

/** The command that creates a channel of a kind. */
function addCreate(group: SessionCommand, { kind, command: ofKind }: ChannelKindDefinition): void {
  group
    .add(`create-${kind}`, ofKind.description)
    .needsEnvironment()
    .requiredOption('--name <name>', 'the display name')
    .option('--consumer <id>', 'your id of the consumer that it belongs to')
    .addOptions(optionsOf([ofKind]))
    .addOptions(CHANNEL_OPTIONS)
    .examples(Object.fromEntries(ofKind.examples))
    .runs(async (session, { environment, consumer, ...options }: NewChannelOptions) => {
      // The service checks the rest of the body.
      const body = {
        kind,
        ...(await channelBody(session.io, [ofKind], options)),
      } as unknown as ChannelInput;
      const { channels, consumers } = session.admin();
      const channel =
        consumer === undefined
          ? await channels.create(environment, body, session.call)
          : await consumers.createChannel(environment, consumer, body, session.call);
      session.show(channel, record);
      if (channel.secret !== null) session.note(SECRET_SHOWN_ONCE);
    });
}

interface TestOptions {
  readonly eventKey?: string;
  readonly to?: string;
  readonly recipient?: JsonObject;
  readonly payload?: JsonObject;
  readonly wait?: boolean;
}

async function test(session: Session, id: string, options: TestOptions): Promise<void> {
  const { eventKey, to, recipient: named, payload, wait } = options;
  const recipient = to ? { ...named, email: to } : named;
  const body = given({ event_key: eventKey, recipient, payload });
  const { channels, messages } = session.admin();
  const sent = await channels.test(id, body, session.call);
  if (wait) {
    const source = messages.of((await channels.get(id, session.call)).environment_id);
    return awaitMessage(session, source, sent.message_id);
  }
  session.show(sent, recordWithRuns(['id', 'status']));
}

/** The commands of `postrider channels` with options of the kinds, or with more than one call. */
export function addChannels(program: SessionCommand, { definitions }: ChannelRegistry): void {
  const group = program.add('channels', 'where deliveries go');
  for (const definition of definitions) addCreate(group, definition);
  const ofKinds = definitions.map((definition) => definition.command);
  group
    .add(
      'update',
      'change a channel; options that are left out stay unchanged. Each kind has its own options',
    )
    .addOptions(optionsOf(ofKinds))
    .addOptions(CHANNEL_OPTIONS)
    .argument('<channel>', 'the channel, chn_…')
    .option('--name <name>', 'the display name')
    .option('--enable', 'enable it again')
    .examples({
      'postrider channels update chn_01… --disable': 'Stop deliveries; runs that become due meanwhile fail.',
      'SMTP_PASSWORD=… postrider channels update chn_01… --smtp-password-from env': 'A new password.',
    })
    .shows(async (session, id: string, options: ChannelOptions) => {
      const body = await channelBody(session.io, ofKinds, options);
      return session.admin().channels.update(id, body, session.call);
    });
  group
    .add('test', 'send a test through a channel, even if it is disabled; a test is marked and not counted')
    .argument('<channel>', 'the channel, chn_…')
    .option('--event-key <key>', 'use the active template of this event key')
    .option('--to <email>', 'the email address of the recipient')
    .option('--recipient <json>', 'the recipient, if it has more fields than an email address', jsonObject)
    .option('--payload <json>', 'the payload, as a JSON object', jsonObject)
    .canWait()
    .examples({ 'postrider channels test chn_01… --to me@example.com --wait': 'Does it arrive?' })
    .runs(test);
}
