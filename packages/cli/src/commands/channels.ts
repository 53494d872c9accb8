import type { EmailChannelInput, WebhookChannelInput } from '@postrider/client';
import { Command } from 'commander';
import type { Act } from '../action.ts';
import {
  type ChannelOptions,
  channelBody,
  withChannelOptions,
  withEmailOptions,
  withWebhookOptions,
} from '../channel-body.ts';
import { awaitMessage } from '../deliveries.ts';
import { examples } from '../help.ts';
import { record, table } from '../output/table.ts';
import { getCommand, listOfEnvironment } from '../standard-commands.ts';
import { given, type JsonObject, jsonObject, wholeNumber } from '../values.ts';

const COLUMNS = ['id', 'kind', 'name', 'enabled', 'event_keys'];
const SHOWN_ONCE = 'The signing secret is shown now and never again: keep it where the receiver reads it.';

type NewChannelOptions = ChannelOptions & { readonly environment: string; readonly name: string };

function newChannel(name: string): Command {
  return new Command(name)
    .requiredOption('--environment <id>', 'the environment, env_…')
    .requiredOption('--name <name>', 'the name for people');
}

function createWebhookCommand(act: Act): Command {
  const command = withChannelOptions(withWebhookOptions(newChannel('create-webhook')))
    .description('create a webhook channel; its signing secret is shown now and never again')
    .action(
      act(async (session, { environment, ...options }: NewChannelOptions) => {
        const body = { kind: 'webhook', ...(await channelBody(session.io, options)) } as WebhookChannelInput;
        session.show(await session.admin().channels.create(environment, body, session.call), record);
        session.note(SHOWN_ONCE);
      }),
    );
  return examples(command, [
    'postrider channels create-webhook --environment env_01… --name ERP --url https://erp.example.com/in ' +
      "--event-keys 'order.*'",
    'For all events that begin with order.',
  ]);
}

function createEmailCommand(act: Act): Command {
  const command = withChannelOptions(withEmailOptions(newChannel('create-email')))
    .description('create an e-mail channel')
    .action(
      act(async (session, { environment, ...options }: NewChannelOptions) => {
        const body = { kind: 'email', ...(await channelBody(session.io, options)) } as EmailChannelInput;
        session.show(await session.admin().channels.create(environment, body, session.call), record);
      }),
    );
  return examples(command, [
    'pass show smtp | postrider channels create-email --environment env_01… --name Mail ' +
      '--smtp-host smtp.example.com --smtp-port 465 --smtp-secure --smtp-username shop ' +
      '--smtp-password-from stdin --from-email shop@example.com',
    'With a password from a password manager.',
  ]);
}

function updateCommand(act: Act): Command {
  const command = withChannelOptions(withEmailOptions(withWebhookOptions(new Command('update'))))
    .description('change a channel; what is left out stays. Each kind takes its own options')
    .argument('<channel>', 'the channel, chn_…')
    .option('--name <name>', 'the name for people')
    .option('--enable', 'deliver through it again')
    .action(
      act(async (session, id: string, options: ChannelOptions) => {
        const body = await channelBody(session.io, options);
        session.show(await session.admin().channels.update(id, body, session.call), record);
      }),
    );
  return examples(
    command,
    ['postrider channels update chn_01… --disable', 'Stop it; runs that fall due meanwhile fail.'],
    ['SMTP_PASSWORD=… postrider channels update chn_01… --smtp-password-from env', 'A new password.'],
  );
}

function deleteCommand(act: Act): Command {
  const command = new Command('delete')
    .description('delete a channel; its open runs fail with channel_disabled, which their attempts say')
    .argument('<channel>', 'the channel, chn_…')
    .action(
      act(async (session, id: string) => {
        await session.admin().channels.delete(id, session.call);
        session.show({ id, deleted: true }, () => `deleted ${id}`);
      }),
    );
  return examples(command, ['postrider channels delete chn_01…', 'For good.']);
}

function rotateSecretCommand(act: Act): Command {
  const command = new Command('rotate-secret')
    .description('make a new signing secret; for a while webhooks carry a signature of each')
    .argument('<channel>', 'the webhook channel, chn_…')
    .option('--overlap-seconds <n>', 'how long the old one still signs (86400)', wholeNumber)
    .action(
      act(async (session, id: string, { overlapSeconds }: { overlapSeconds?: number }) => {
        const body = given({ overlap_seconds: overlapSeconds });
        session.show(await session.admin().channels.rotateSecret(id, body, session.call), record);
        session.note(SHOWN_ONCE);
      }),
    );
  return examples(command, [
    'postrider channels rotate-secret chn_01… --overlap-seconds 3600',
    'An hour to change it over.',
  ]);
}

interface TestOptions {
  readonly eventKey?: string;
  readonly to?: string;
  readonly payload?: JsonObject;
  readonly wait?: boolean;
}

function testCommand(act: Act): Command {
  const command = new Command('test')
    .description('send a test through a channel, disabled or not; it is marked as one and counted nowhere')
    .argument('<channel>', 'the channel, chn_…')
    .option('--event-key <key>', 'with the template that is active for this event')
    .option('--to <email>', 'the recipient; a mail needs one')
    .option('--payload <json>', 'the payload, as a JSON object', jsonObject)
    .option('--wait', 'wait for the delivery, and draw what happened')
    .action(
      act(async (session, id: string, { eventKey, to, payload, wait }: TestOptions) => {
        const body = given({ event_key: eventKey, recipient: to ? { email: to } : undefined, payload });
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

/** `postrider channels`: where deliveries go. */
export function channelsCommand(act: Act): Command {
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
  return new Command('channels')
    .description('where deliveries go')
    .addCommand(listAll)
    .addCommand(get)
    .addCommand(createWebhookCommand(act))
    .addCommand(createEmailCommand(act))
    .addCommand(updateCommand(act))
    .addCommand(deleteCommand(act))
    .addCommand(rotateSecretCommand(act))
    .addCommand(testCommand(act));
}
