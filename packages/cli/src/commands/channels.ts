import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import type { ChannelInput } from '@postrider/client';
import { CHANNEL_OPTIONS, type ChannelOptions, channelBody } from '../channel-body.ts';
import type { SessionCommand } from '../command.ts';
import { awaitMessage } from '../deliveries.ts';
import { optionsOf } from '../kind-commands.ts';
import { record, table } from '../output/table.ts';
import type { Session } from '../session.ts';
import { given, type JsonObject, jsonObject } from '../values.ts';
import { SECRET_SHOWN_ONCE } from './resources.ts';

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
    .option('--consumer <id>', 'the consumer that it belongs to, by your own id of it')
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
  session.show(sent, ({ message_id, status, delivery_runs }, style) =>
    [record({ message_id, status }, style), table(['id', 'status'], delivery_runs, style)].join('\n\n'),
  );
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
    .option('--wait', 'wait for the delivery, and show its timeline; exits with 1 unless it succeeded')
    .examples({ 'postrider channels test chn_01… --to me@example.com --wait': 'Does it arrive?' })
    .runs(test);
  // Its commands are generated.
  program.add('consumers', 'the customers of a tenant, with channels of their own');
}
