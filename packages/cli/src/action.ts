import { Command } from 'commander';
import type { Io } from './io.ts';
import { type GlobalOptions, openSession, type Session } from './session.ts';

/**
 * Turns a command's function into a commander action. The function gets the session, and then its arguments and options
 * in commander's order.
 */
export type Act = <Args extends unknown[]>(
  run: (session: Session, ...args: Args) => Promise<void> | void,
) => (...args: [...Args, ...rest: unknown[]]) => Promise<void>;

/** Binds actions to the process that the command runs in. */
export function createAct(io: Io): Act {
  return <Args extends unknown[]>(run: (session: Session, ...args: Args) => Promise<void> | void) =>
    async (...all: [...Args, ...rest: unknown[]]) => {
      const command = all.at(-1);
      if (!(command instanceof Command)) throw new Error('commander calls an action with its command');
      await run(openSession(io, command.optsWithGlobals<GlobalOptions>()), ...(all.slice(0, -1) as Args));
    };
}

/** The option of commands that read or change one environment, as its client or as an operator. */
export const ENVIRONMENT_OPTION = [
  '--environment <id>',
  'the environment, env_…, with ADMIN_TOKEN; by default that of POSTRIDER_TOKEN',
] as const;

/** What to type, and what it does. */
export type Examples = Readonly<Record<string, string>>;

/** Adds examples to a command's help. */
export function examples(command: Command, typed: Examples): Command {
  const text = Object.entries(typed).map(([line, does]) => `  # ${does}\n  $ ${line}`);
  return command.addHelpText('after', `\nExamples:\n${text.join('\n')}`);
}
