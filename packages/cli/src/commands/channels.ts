import { type ChannelInput, createChannel } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { Command } from 'commander';
import { email, eventPatterns, httpUrl, id, retryPolicy, wholeNumber } from '../arguments.ts';
import { type CommandContext, withContext } from '../context.ts';

/** The options that every kind of channel has. */
function channelCommand(name: string): Command {
  return new Command(name)
    .requiredOption('--environment <id>', 'the environment, env_…', id('env'))
    .requiredOption('--name <name>', 'the name for people')
    .option(
      '--event-keys <patterns>',
      'the events it gets, such as order.*,invoice.paid (default: all)',
      eventPatterns,
    )
    .option(
      '--retry <json>',
      'the retry policy, such as {"max_attempts":3,"delays_seconds":[1,10]}',
      retryPolicy,
    )
    .option('--timeout-ms <n>', 'time limit of one attempt', wholeNumber(1_000, 60_000));
}

async function create(inputFor: (context: CommandContext) => ChannelInput): Promise<void> {
  await withContext(async (context) => {
    const channel = await createChannel(context, inputFor(context));
    return {
      id: formatId('chn', channel.id),
      ...(channel.secret === null ? {} : { secret: channel.secret }),
    };
  });
}

/** `postrider channels`: where deliveries go. */
export function channelsCommand(): Command {
  const webhook = channelCommand('create-webhook')
    .description('create a webhook channel; its signing secret is shown now and never again')
    .requiredOption('--url <url>', 'where the webhook is posted', httpUrl)
    .action((options) =>
      create(() => ({
        kind: 'webhook',
        environmentId: options.environment,
        name: options.name,
        eventKeys: options.eventKeys,
        retry: options.retry,
        config: { url: options.url, ...(options.timeoutMs && { timeout_ms: options.timeoutMs }) },
      })),
    );
  const mail = channelCommand('create-email')
    .description('create an e-mail channel; the password is read from the variable SMTP_PASSWORD')
    .requiredOption('--smtp-host <host>', 'the SMTP server')
    .requiredOption('--smtp-port <port>', 'its port', wholeNumber(1, 65_535))
    .option(
      '--smtp-secure',
      'TLS from the start (port 465); without it STARTTLS is used where offered',
      false,
    )
    .option('--smtp-username <name>', 'the user to log in as')
    .requiredOption('--from-email <address>', 'the sender', email)
    .option('--from-name <name>', 'the sender’s name')
    .option('--reply-to <address>', 'where answers go', email)
    .action((options) =>
      create(({ smtpPassword }) => ({
        kind: 'email',
        environmentId: options.environment,
        name: options.name,
        eventKeys: options.eventKeys,
        retry: options.retry,
        ...(smtpPassword && { password: smtpPassword }),
        config: {
          smtp: {
            host: options.smtpHost,
            port: options.smtpPort,
            secure: options.smtpSecure,
            ...(options.smtpUsername && { username: options.smtpUsername }),
          },
          from: { email: options.fromEmail, ...(options.fromName && { name: options.fromName }) },
          ...(options.replyTo && { reply_to: options.replyTo }),
          ...(options.timeoutMs && { timeout_ms: options.timeoutMs }),
        },
      })),
    );
  return new Command('channels').description('where deliveries go').addCommand(webhook).addCommand(mail);
}
