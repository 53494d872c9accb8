import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import type { ChannelInput } from '@postrider/client';
import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { type ChannelOptions, channelBody, withChannelOptions } from '../channel-body.ts';
import { awaitMessage } from '../deliveries.ts';
import { withOptionsOf } from '../kind-commands.ts';
import { type ListOptions, listOptions, showList } from '../lists.ts';
import { record, table } from '../output/table.ts';
import { given, type JsonObject, jsonObject } from '../values.ts';
import { blockedKeysCommand } from './blocked-keys.ts';
import { RESOURCES, SECRET_SHOWN_ONCE } from './resources.ts';

type NewChannelOptions = ChannelOptions & {
  readonly environment: string;
  readonly name: string;
  readonly consumer?: string;
};

function newChannel(name: string): Command {
  return new Command(name)
    .requiredOption('--environment <id>', 'the environment, env_…')
    .requiredOption('--name <name>', 'the display name')
    .option('--consumer <id>', 'the consumer that it belongs to, by your own id of it');
}

function createCommand(act: Act, { kind, command: ofKind }: ChannelKindDefinition): Command {
  const command = withChannelOptions(withOptionsOf(newChannel(`create-${kind}`), [ofKind]))
    .description(ofKind.description)
    .action(
      act(async (session, { environment, consumer, ...options }: NewChannelOptions) => {
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
      }),
    );
  return examples(command, Object.fromEntries(ofKind.examples));
}

function updateCommand(act: Act, { definitions }: ChannelRegistry): Command {
  const ofKinds = definitions.map((definition) => definition.command);
  const command = withChannelOptions(withOptionsOf(new Command('update'), ofKinds))
    .description('change a channel; options that are left out stay unchanged. Each kind has its own options')
    .argument('<channel>', 'the channel, chn_…')
    .option('--name <name>', 'the display name')
    .option('--enable', 'enable it again')
    .action(
      act(async (session, id: string, options: ChannelOptions) => {
        const body = await channelBody(session.io, ofKinds, options);
        session.show(await session.admin().channels.update(id, body, session.call), record);
      }),
    );
  return examples(command, {
    'postrider channels update chn_01… --disable': 'Stop deliveries; runs that become due meanwhile fail.',
    'SMTP_PASSWORD=… postrider channels update chn_01… --smtp-password-from env': 'A new password.',
  });
}

interface TestOptions {
  readonly eventKey?: string;
  readonly to?: string;
  readonly recipient?: JsonObject;
  readonly payload?: JsonObject;
  readonly wait?: boolean;
}

function testCommand(act: Act): Command {
  const command = new Command('test')
    .description('send a test through a channel, even if it is disabled; a test is marked and not counted')
    .argument('<channel>', 'the channel, chn_…')
    .option('--event-key <key>', 'use the active template of this event key')
    .option('--to <email>', 'the email address of the recipient')
    .option('--recipient <json>', 'the recipient, if it has more fields than an email address', jsonObject)
    .option('--payload <json>', 'the payload, as a JSON object', jsonObject)
    .option('--wait', 'wait for the delivery, and show its timeline; exits with 1 unless it succeeded')
    .action(
      act(async (session, id: string, { eventKey, to, recipient: named, payload, wait }: TestOptions) => {
        const recipient = to ? { ...named, email: to } : named;
        const body = given({ event_key: eventKey, recipient, payload });
        const { channels, messages } = session.admin();
        const sent = await channels.test(id, body, session.call);
        if (wait) {
          const source = messages.of((await channels.get(id, session.call)).environment_id);
          await awaitMessage(session, source, sent.message_id);
          return;
        }
        session.show(sent, ({ message_id, status, delivery_runs }, style) =>
          [record({ message_id, status }, style), table(['id', 'status'], delivery_runs, style)].join('\n\n'),
        );
      }),
    );
  return examples(command, {
    'postrider channels test chn_01… --to me@example.com --wait': 'Does it arrive?',
  });
}

/** The commands of `postrider channels` with options of the kinds, or with more than one call. */
export function channelsCommand(act: Act, kinds: ChannelRegistry): Command {
  const channels = new Command('channels').description('where deliveries go');
  for (const definition of kinds.definitions) channels.addCommand(createCommand(act, definition));
  return channels
    .addCommand(blockedKeysCommand(act))
    .addCommand(updateCommand(act, kinds))
    .addCommand(testCommand(act));
}

/** `postrider consumers channels`; the other commands of consumers are generated. */
export function consumersCommand(act: Act): Command {
  const list = listOptions(new Command('channels'))
    .description('list the channels of a consumer')
    .argument('<consumer>', 'the consumer, by your own id of it')
    .requiredOption('--environment <id>', 'the environment, env_…')
    .action(
      act((session, id: string, options: ListOptions & { readonly environment: string }) =>
        showList(session, session.admin().consumers.listChannels(options.environment, id), {
          columns: RESOURCES.channels?.list?.columns ?? [],
          filters: {},
          options,
        }),
      ),
    );
  return new Command('consumers')
    .description('the customers of a tenant, with channels of their own')
    .addCommand(list);
}
