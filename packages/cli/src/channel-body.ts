import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Io, readStdin } from './io.ts';
import { UsageError } from './usage-error.ts';
import {
  given,
  type JsonObject,
  jsonObject,
  list,
  NONE,
  nullable,
  readJsonObject,
  wholeNumber,
} from './values.ts';

/** What can be said of a channel; a command has the options of its kind. */
export interface ChannelOptions {
  readonly name?: string;
  readonly eventKeys?: string[];
  readonly retry?: JsonObject;
  readonly timeoutMs?: number;
  readonly configFile?: string;
  readonly disable?: boolean;
  readonly enable?: boolean;
  readonly url?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly smtpHost?: string;
  readonly smtpPort?: number;
  readonly smtpSecure?: boolean;
  readonly smtpUsername?: string | typeof NONE;
  readonly smtpPasswordFrom?: 'env' | 'stdin' | typeof NONE;
  readonly fromEmail?: string;
  readonly fromName?: string | typeof NONE;
  readonly replyTo?: string | typeof NONE;
}

function header(text: string, before: Record<string, string> = {}): Record<string, string> {
  const colon = text.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('It must be a name, a colon and a value.');
  return { ...before, [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() };
}

/** Adds the options that channels of every kind have. */
export function withChannelOptions(command: Command): Command {
  return command
    .option(
      '--event-keys <patterns>',
      'the events that it gets, such as order.*,invoice.paid; all are *',
      list,
    )
    .option(
      '--retry <json>',
      'the retry policy, such as {"max_attempts":3,"delays_seconds":[1,10]}',
      jsonObject,
    )
    .option('--timeout-ms <n>', 'time limit of one attempt', wholeNumber)
    .option(
      '--config-file <path>',
      'fields of the config as JSON; - is stdin. They go before the other options',
    )
    .option('--disable', 'deliver nothing through it');
}

/** Adds the options of a webhook channel. */
export function withWebhookOptions(command: Command): Command {
  return command
    .option('--url <url>', 'where webhooks are posted')
    .option('--header <header>', 'a header of each webhook, such as "X-Shop: 7"; repeatable', header);
}

/** Adds the options of an e-mail channel. */
export function withEmailOptions(command: Command): Command {
  return command
    .option('--smtp-host <host>', 'the SMTP server')
    .option('--smtp-port <port>', 'its port', wholeNumber)
    .option('--smtp-secure', 'TLS from the start (port 465); without it STARTTLS is used where offered')
    .option('--no-smtp-secure', 'STARTTLS where offered')
    .option('--smtp-username <name>', 'the user to log in as; none: no login')
    .addOption(
      new Option(
        '--smtp-password-from <source>',
        'where the password is read: env is the variable SMTP_PASSWORD; none takes it away',
      ).choices(['env', 'stdin', NONE]),
    )
    .option('--from-email <address>', 'the sender')
    .option('--from-name <name>', 'the sender’s name; none: the address alone')
    .option('--reply-to <address>', 'where answers go; none: to the sender');
}

/** The password of the SMTP server, which would be seen by others as an argument. */
async function passwordFrom(io: Io, source: ChannelOptions['smtpPasswordFrom']) {
  if (source === undefined || source === NONE) return nullable(source);
  const password = source === 'env' ? io.env.SMTP_PASSWORD : (await readStdin(io)).replace(/\r?\n$/, '');
  if (!password)
    throw new UsageError(source === 'env' ? 'SMTP_PASSWORD is not set.' : 'stdin has no password.');
  return password;
}

/** An object of what was given, or nothing when nothing was. */
function part<Fields extends JsonObject>(fields: Fields): Partial<Fields> | undefined {
  const object = given(fields);
  return Object.keys(object).length === 0 ? undefined : object;
}

function enabled({ enable, disable }: ChannelOptions): boolean | undefined {
  if (enable && disable) throw new UsageError('--enable and --disable cannot both be meant.');
  return enable ? true : disable ? false : undefined;
}

async function configOf(io: Io, options: ChannelOptions): Promise<JsonObject> {
  return given({
    url: options.url,
    headers: options.header,
    smtp: part({
      host: options.smtpHost,
      port: options.smtpPort,
      secure: options.smtpSecure,
      username: nullable(options.smtpUsername),
      password: await passwordFrom(io, options.smtpPasswordFrom),
    }),
    from: part({ email: options.fromEmail, name: nullable(options.fromName) }),
    reply_to: nullable(options.replyTo),
    timeout_ms: options.timeoutMs,
  });
}

/** The fields of a channel that were given, as the API takes them. */
export async function channelBody(io: Io, options: ChannelOptions): Promise<JsonObject> {
  const file = options.configFile === undefined ? {} : await readJsonObject(io, options.configFile);
  return given({
    name: options.name,
    enabled: enabled(options),
    event_keys: options.eventKeys,
    retry: options.retry,
    config: part({ ...file, ...(await configOf(io, options)) }),
  });
}
