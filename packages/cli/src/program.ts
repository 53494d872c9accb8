import { readFileSync } from 'node:fs';
import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import { Command } from 'commander';
import { createAct, ENVIRONMENT_OPTION, examples } from './action.ts';
import { accountCommands } from './commands/account.ts';
import { auditCommand } from './commands/audit.ts';
import { auditLogCommand } from './commands/audit-log.ts';
import { channelsCommand, consumersCommand } from './commands/channels.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { consoleCommand } from './commands/console.ts';
import { deliveryRunsCommand } from './commands/delivery-runs.ts';
import { devCommand } from './commands/dev.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventTypesCommand } from './commands/event-types.ts';
import { eventsCommand } from './commands/events.ts';
import { generatedCommands } from './commands/from-descriptions.ts';
import { listenCommand } from './commands/listen.ts';
import { loginCommands } from './commands/login.ts';
import { lookupCommand } from './commands/lookup.ts';
import { mcpCommand } from './commands/mcp.ts';
import { messagesCommand } from './commands/messages.ts';
import { migrateCommand } from './commands/migrate.ts';
import { partCommands } from './commands/parts.ts';
import { recipientsCommand } from './commands/recipients.ts';
import { replaysCommand } from './commands/replays.ts';
import { secretsCommand } from './commands/secrets.ts';
import { statsCommand } from './commands/stats.ts';
import { streamCommand } from './commands/stream.ts';
import { suppressionsCommand } from './commands/suppressions.ts';
import { tailCommand } from './commands/tail.ts';
import { templatesCommand } from './commands/templates.ts';
import { triggerCommand } from './commands/trigger.ts';
import { EXIT_CODES_HELP } from './exit-codes.ts';
import type { Io } from './io.ts';
import { defaultEnvironment, type GlobalOptions } from './session.ts';
import { printable } from './values.ts';

const ABOUT = `Sets up and runs a Postrider installation over its API.

"postrider login" stores an address and tokens as a profile. Variables replace what is stored, and options replace variables:
  POSTRIDER_URL          where the API is; http://127.0.0.1:3000 by default
  ADMIN_TOKEN            for management: plans, tenants, environments, tokens, channels, templates, audit log
  POSTRIDER_TOKEN        for one environment: events, messages, delivery runs, usage, stream, tail
  POSTRIDER_ENVIRONMENT  the environment of management commands without --environment`;

/** What follows the message of wrong usage. The commands for each kind of channel are named. */
function hintOf({ commands }: Command): string {
  const perKind = commands.map((command) => command.name()).filter((name) => name.startsWith('create-'));
  return perKind.length === 0 ? '(see --help)' : `There are ${perKind.join(', ')} (see --help).`;
}

/** The version of this package, which is that of the release. */
const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Makes every command write to and exit through `io` instead of the process. */
function adopt(command: Command, io: Io): void {
  command.exitOverride().showHelpAfterError(hintOf(command));
  command.configureOutput({
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
    getOutHelpWidth: () => io.stdout.columns ?? 100,
    getErrHelpWidth: () => io.stderr.columns ?? 100,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  command.configureHelp({ showGlobalOptions: true });
  for (const child of command.commands) adopt(child, io);
}

/** Sets --environment of this command and those below it, unless the command line does. */
function setEnvironments(command: Command, io: Io, options: GlobalOptions): void {
  for (const { long, mandatory, description } of command.options) {
    if (long !== '--environment' || !(mandatory || description === ENVIRONMENT_OPTION[1])) continue;
    const environment = defaultEnvironment(io, options, { isNeeded: mandatory });
    if (environment !== undefined) command.setOptionValueWithSource('environment', environment, 'config');
  }
  for (const child of command.commands) setEnvironments(child, io, options);
}

function addGroup(program: Command, heading: string, commands: readonly Command[]): void {
  for (const command of commands) program.addCommand(command.helpGroup(heading));
}

/** The complete command line, as commander's tree. */
export function createProgram(io: Io, kinds: ChannelRegistry = channelKinds): Command {
  const act = createAct(io);
  const program = new Command('postrider')
    .description(ABOUT)
    .version(VERSION, '--version', 'print the version')
    .option('--json', 'print one JSON document instead of text')
    .option(
      '--no-color',
      'no colours (also with the variable NO_COLOR, and when the output is not a terminal)',
    )
    .option('--api-url <url>', 'the address of the API, instead of POSTRIDER_URL')
    .option('--token <token>', 'instead of POSTRIDER_TOKEN; other users of this machine can see it')
    .option('--admin-token <token>', 'instead of ADMIN_TOKEN; other users of this machine can see it')
    .option('--profile <name>', 'the sign-in of postrider login to use, instead of POSTRIDER_PROFILE')
    .option('--actor <name>', 'who you are, for the audit log; admin by default')
    .option('--audit-reason <text>', 'why you change something, for the audit log', printable);
  const management = [
    channelsCommand(act, kinds),
    consumersCommand(act),
    templatesCommand(act, kinds),
    ...partCommands(act),
    eventTypesCommand(act),
    replaysCommand(act, kinds),
    recipientsCommand(act),
    suppressionsCommand(act),
    lookupCommand(act),
    secretsCommand(act),
    configCommand(act),
    auditLogCommand(act),
    auditCommand(act),
    consoleCommand(act),
  ];
  addGroup(program, 'Sign-in:', loginCommands(act));
  addGroup(program, 'Management, by ADMIN_TOKEN or postrider login:', [
    ...management,
    ...generatedCommands(act, management),
  ]);
  addGroup(program, 'One environment, with POSTRIDER_TOKEN:', [
    eventsCommand(act),
    triggerCommand(act),
    messagesCommand(act, kinds),
    deliveryRunsCommand(act),
    ...accountCommands(act),
    statsCommand(act),
    streamCommand(act),
    tailCommand(act),
    listenCommand(act),
    mcpCommand(act, VERSION),
  ]);
  addGroup(program, 'Other:', [devCommand(act), doctorCommand(act, VERSION), migrateCommand(act)]);
  completionCommand(program, 'Other:');
  program.hook('preSubcommand', (_, command) => setEnvironments(command, io, program.opts<GlobalOptions>()));
  examples(program, {
    'postrider login': 'Sign in to an installation.',
    'postrider tenants create --name Acme --plan free': 'Start with a tenant.',
    'postrider events send --event-key order.shipped --to ada@example.com --wait':
      'Send an event and see its delivery.',
    'postrider tail': 'Follow the deliveries of an environment.',
    'postrider messages list --json | jq -r ".data[].id"': 'Use it in a script.',
  }).addHelpText('after', `\n${EXIT_CODES_HELP}`);
  adopt(program, io);
  return program;
}
