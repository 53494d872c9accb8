import { readFileSync } from 'node:fs';
import tab from '@bomb.sh/tab/commander';
import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import type { Command } from 'commander';
import { OF_TOKEN_UNLESS_GIVEN, SessionCommand } from './command.ts';
import { addAccount } from './commands/account.ts';
import { addAudit } from './commands/audit.ts';
import { addChannels } from './commands/channels.ts';
import { addConfig } from './commands/config.ts';
import { addDev } from './commands/dev.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEvents } from './commands/events.ts';
import { addGenerated, addGroups } from './commands/from-descriptions.ts';
import { addListen } from './commands/listen.ts';
import { addConsole, addLogin } from './commands/login.ts';
import { addLookup } from './commands/lookup.ts';
import { addMcp } from './commands/mcp.ts';
import { addMessages } from './commands/messages.ts';
import { addMigrate } from './commands/migrate.ts';
import { addRecipients } from './commands/recipients.ts';
import { addReplays } from './commands/replays.ts';
import { addSecrets } from './commands/secrets.ts';
import { addStream } from './commands/stream.ts';
import { addSuppressions } from './commands/suppressions.ts';
import { addTail } from './commands/tail.ts';
import { addTemplates } from './commands/templates.ts';
import { addTrigger } from './commands/trigger.ts';
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

/** The version of this package, which is that of the release. */
const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/**
 * `postrider completion <shell>`: a script that lets the shell complete commands and options. It is derived from
 * the command tree, so it is added last.
 */
function addCompletion(program: SessionCommand): void {
  tab(program, { completionCommandName: 'completion' });
  const command = program.commands.find((child) => child.name() === 'completion') as SessionCommand;
  command.description('print the script that completes commands and options in a shell').examples({
    "echo 'source <(postrider completion bash)' >> ~/.bashrc":
      'bash, which needs the package bash-completion',
    "echo 'source <(postrider completion zsh)' >> ~/.zshrc": 'zsh',
    'postrider completion fish > ~/.config/fish/completions/postrider.fish': 'fish',
  });
}

/** Adds commands to the program. */
type Add = (program: SessionCommand, kinds: ChannelRegistry) => void;

/** What adds the commands under each heading of the help, in order. Generated ones join the groups before them. */
const GROUPS: Readonly<Record<string, readonly Add[]>> = {
  'Sign-in:': [addLogin],
  'Management, by ADMIN_TOKEN or postrider login:': [
    ...[addChannels, addGroups('consumers'), addTemplates],
    ...[addGroups('layouts', 'partials', 'translations', 'event-types'), addReplays, addRecipients],
    ...[addSuppressions, addLookup, addSecrets, addConfig, addAudit, addConsole, addGenerated],
  ],
  'One environment, with POSTRIDER_TOKEN:': [
    ...[addEvents, addTrigger, addMessages, addAccount],
    ...[addStream, addTail, addListen, addMcp],
  ],
  'Other:': [addDev, addDoctor, addMigrate, addCompletion],
};

/** Sets --environment of this command and those below it, unless the command line does. */
function setEnvironments(command: Command, io: Io, options: GlobalOptions): void {
  for (const { long, mandatory, description } of command.options) {
    if (long !== '--environment' || !(mandatory || description === OF_TOKEN_UNLESS_GIVEN)) continue;
    const environment = defaultEnvironment(io, options, { isNeeded: mandatory });
    if (environment !== undefined) command.setOptionValueWithSource('environment', environment, 'config');
  }
  for (const child of command.commands) setEnvironments(child, io, options);
}

/** The complete command line, as commander's tree. */
export function createProgram(io: Io, kinds: ChannelRegistry = channelKinds): SessionCommand {
  const program = new SessionCommand(io, 'postrider')
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
    .option('--audit-reason <text>', 'why you are making the change, for the audit log', printable);
  for (const [heading, adds] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const add of adds) add(program, kinds);
  }
  program.hook('preSubcommand', (_, command) => setEnvironments(command, io, program.opts<GlobalOptions>()));
  program
    .examples({
      'postrider login': 'Sign in to an installation.',
      'postrider tenants create --name Acme --plan free': 'Start with a tenant.',
      'postrider events send --event-key order.shipped --to ada@example.com --wait':
        'Send an event and see its delivery.',
      'postrider tail': 'Follow the deliveries of an environment.',
      'postrider messages list --json | jq -r ".data[].id"': 'Use it in a script.',
    })
    .addHelpText('after', `\n${EXIT_CODES_HELP}`);
  return program;
}
