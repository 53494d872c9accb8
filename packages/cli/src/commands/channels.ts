import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import type { ChannelInput } from '@postrider/client';
import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { type ChannelOptions, channelBody, withChannelOptions } from '../channel-body.ts';
import { awaitMessage } from '../deliveries.ts';
import { withOptionsOf } from '../kind-commands.ts';
import { record, table } from '../output/table.ts';
import { getCommand, listOfEnvironment } from '../standard-commands.ts';
import {
  given,
  type JsonObject,
  jsonObject,
  jsonObjectOrNone,
  type NONE,
  nullable,
  wholeNumber,
} from '../values.ts';
import { blockedKeyCommands } from './blocked-keys.ts';

const COLUMNS = ['id', 'kind', 'name', 'enabled', 'health.state', 'event_keys'];
const SHOWN_ONCE = 'The signing secret is not shown again: store it where the receiver reads it.';

type NewChannelOptions = ChannelOptions & { readonly environment: string; readonly name: string };

function newChannel(name: string): Command {
  return new Command(name)
    .requiredOption('--environment <id>', 'the environment, env_…')
    .requiredOption('--name <name>', 'the display name');
}

function createCommand(act: Act, { kind, command: ofKind }: ChannelKindDefinition): Command {
  const command = withChannelOptions(withOptionsOf(newChannel(`create-${kind}`), [ofKind]))
    .description(ofKind.description)
    .action(
      act(async (session, { environment, ...options }: NewChannelOptions) => {
        // The service checks the rest of the body.
        const body = {
          kind,
          ...(await channelBody(session.io, [ofKind], options)),
        } as unknown as ChannelInput;
        const channel = await session.admin().channels.create(environment, body, session.call);
        session.show(channel, record);
        if (channel.secret !== null) session.note(SHOWN_ONCE);
      }),
    );
  return examples(command, ...ofKind.examples);
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
  return examples(
    command,
    ['postrider channels update chn_01… --disable', 'Stop deliveries; runs that become due meanwhile fail.'],
    ['SMTP_PASSWORD=… postrider channels update chn_01… --smtp-password-from env', 'A new password.'],
  );
}

function deleteCommand(act: Act): Command {
  const command = new Command('delete')
    .description('delete a channel; its waiting runs fail with channel_disabled')
    .argument('<channel>', 'the channel, chn_…')
    .action(
      act(async (session, id: string) => {
        await session.admin().channels.delete(id, session.call);
        session.show({ id, deleted: true }, () => `deleted ${id}`);
      }),
    );
  return examples(command, ['postrider channels delete chn_01…', 'Permanently.']);
}

function rotateSecretCommand(act: Act): Command {
  const command = new Command('rotate-secret')
    .description('create a new signing secret; during the overlap webhooks are signed with both')
    .argument('<channel>', 'the webhook channel, chn_…')
    .option('--overlap-seconds <n>', 'how long the old secret still signs (86400)', wholeNumber)
    .action(
      act(async (session, id: string, { overlapSeconds }: { overlapSeconds?: number }) => {
        const body = given({ overlap_seconds: overlapSeconds });
        session.show(await session.admin().channels.rotateSecret(id, body, session.call), record);
        session.note(SHOWN_ONCE);
      }),
    );
  return examples(command, [
    'postrider channels rotate-secret chn_01… --overlap-seconds 3600',
    'Give the receiver an hour to switch.',
  ]);
}

function switchCommand(act: Act, to: 'pause' | 'resume', description: string, example: string): Command {
  const command = new Command(to)
    .description(description)
    .argument('<channel>', 'the channel, chn_…')
    .action(
      act(async (session, id: string) => {
        session.show(await session.admin().channels[to](id, session.call), record);
      }),
    );
  return examples(command, [`postrider channels ${to} chn_01…`, example]);
}

function feedbackTokenCommand(act: Act): Command {
  const command = new Command('feedback-token')
    .description('create a new feedback token for providers; the old one becomes invalid at once')
    .argument('<channel>', 'the email channel, chn_…')
    .action(
      act(async (session, id: string) => {
        session.show(await session.admin().channels.feedbackToken(id, session.call), record);
        session.note('The token is not shown again: give the address with it to the provider.');
      }),
    );
  return examples(command, ['postrider channels feedback-token chn_01…', 'The address for bounce reports.']);
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
  return examples(command, ['postrider channels test chn_01… --to me@example.com --wait', 'Does it arrive?']);
}

function filterTestCommand(act: Act): Command {
  const command = new Command('filter-test')
    .description('try a filter on the newest 1,000 messages of the environment without saving it')
    .argument('<channel>', 'the channel, chn_…')
    .requiredOption(
      '--filter <json>',
      'the filter; none: every event that the channel takes',
      jsonObjectOrNone,
    )
    .action(
      act(async (session, id: string, { filter }: { filter: JsonObject | typeof NONE }) => {
        const body = { filter: nullable(filter) ?? null };
        session.show(await session.admin().channels.filterTest(id, body, session.call), record);
      }),
    );
  return examples(command, [
    `postrider channels filter-test chn_01… --filter '{"payload":{"amount":{"$gte":100}}}'`,
    'Which events would it take?',
  ]);
}

/** `postrider channels`: the destinations of deliveries. */
export function channelsCommand(act: Act, kinds: ChannelRegistry): Command {
  const listAll = listOfEnvironment(
    act,
    'the channels of an environment, newest first',
    COLUMNS,
    (session, id) => session.admin().channels.of(id),
  );
  const get = getCommand(
    act,
    { description: 'one channel, without its secrets', argument: '<channel>', about: 'the channel, chn_…' },
    (session, id) => session.admin().channels.get(id, session.call),
  );
  const channels = new Command('channels')
    .description('where deliveries go')
    .addCommand(listAll)
    .addCommand(get);
  for (const definition of kinds.definitions) channels.addCommand(createCommand(act, definition));
  for (const command of blockedKeyCommands(act)) channels.addCommand(command);
  return channels
    .addCommand(updateCommand(act, kinds))
    .addCommand(deleteCommand(act))
    .addCommand(
      switchCommand(
        act,
        'pause',
        'hold the runs of a channel until it is resumed',
        'Before moving its endpoint.',
      ),
    )
    .addCommand(
      switchCommand(act, 'resume', 'resume a channel; held runs are sent, oldest first', 'Without a probe.'),
    )
    .addCommand(rotateSecretCommand(act))
    .addCommand(feedbackTokenCommand(act))
    .addCommand(testCommand(act))
    .addCommand(filterTestCommand(act));
}
