import { Command, type ErrorOptions, type Option } from 'commander';
import type { FieldOption } from './field-options.ts';
import type { Io } from './io.ts';
import type { Style } from './output/style.ts';
import { record } from './output/table.ts';
import { type GlobalOptions, Session } from './session.ts';
import { wholeNumber } from './values.ts';

/** What to type, and what it does. */
export type Examples = Readonly<Record<string, string>>;

/** --environment of commands that read or change one environment, as its client or as an operator. */
export const OF_TOKEN_UNLESS_GIVEN =
  'the environment, env_…, with ADMIN_TOKEN; by default that of POSTRIDER_TOKEN';

/** A command that works with a session, and that writes to and exits through `io` instead of the process. */
export class SessionCommand extends Command {
  readonly #io: Io;

  constructor(io: Io, name?: string) {
    super(name);
    this.#io = io;
    this.exitOverride().configureHelp({ showGlobalOptions: true });
    this.configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // With --json `run` reports the error.
      writeErr: (text) => {
        if (!this.optsWithGlobals<GlobalOptions>().json) io.stderr.write(text);
      },
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  }

  override createCommand(name?: string): SessionCommand {
    return new SessionCommand(this.#io, name);
  }

  /** Adds a command below this one, and returns it. */
  add(name: string, about: string): SessionCommand {
    return this.command(name).description(about);
  }

  /** Adds --environment, without which the command does not run. */
  needsEnvironment(): this {
    return this.requiredOption('--environment <id>', 'the environment, env_…');
  }

  /** Adds --environment, without which the command works in the environment of the token: {@link Session.environment}. */
  inEnvironment(): this {
    return this.option('--environment <id>', OF_TOKEN_UNLESS_GIVEN);
  }

  /** Adds the options of every list. */
  inPages(): this {
    return this.option('--limit <n>', 'items of a page, at most 100 (25)', wholeNumber)
      .option('--cursor <cursor>', 'continue after the page that returned this next_cursor')
      .option('--all', 'all pages');
  }

  /** Adds --wait: the command then waits with `awaitMessage` for the message that it sent. */
  canWait(): this {
    const about = 'wait until every run has ended, then show the timeline; exits with 1 unless all succeeded';
    return this.option('--wait', about);
  }

  addOptions(options: readonly Option[]): this {
    for (const option of options) this.addOption(option);
    return this;
  }

  /** Adds the options of fields. */
  addFields(fields: readonly FieldOption[]): this {
    return this.addOptions(fields.map(({ option }) => option));
  }

  /** Adds examples to the help. */
  examples(typed: Examples): this {
    const text = Object.entries(typed).map(([line, does]) => `  # ${does}\n  $ ${line}`);
    return this.addHelpText('after', `\nExamples:\n${text.join('\n')}`);
  }

  /** Sets what the command does. The function gets the session, and then its arguments and options in commander's order. */
  runs<Args extends unknown[]>(run: (session: Session, ...args: Args) => Promise<void> | void): this {
    return this.action(async (...all: [...Args, command: this]) => {
      const args = all.slice(0, -1) as Args;
      await run(new Session(this.#io, this.optsWithGlobals<GlobalOptions>()), ...args);
    });
  }

  /** Runs a call and prints its result. `call` gets the arguments of {@link runs}. */
  shows<Result extends object, Args extends unknown[]>(
    call: (session: Session, ...args: Args) => Promise<Result>,
    view: (result: Result, style: Style) => string = record,
  ): this {
    return this.runs(async (session, ...args: Args) => session.show(await call(session, ...args), view));
  }

  /** Wrong usage. The commands for each kind of channel are named. */
  override error(message: string, options?: ErrorOptions): never {
    const perKind = this.commands
      .map((command) => command.name())
      .filter((name) => name.startsWith('create-'));
    this.showHelpAfterError(
      perKind.length === 0 ? '(see --help)' : `There are ${perKind.join(', ')} (see --help).`,
    );
    return super.error(message, options);
  }
}
