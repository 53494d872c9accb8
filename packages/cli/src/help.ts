import type { Command } from 'commander';

/** Adds examples to a command's help: what to type, and what it does. */
export function examples(command: Command, ...lines: readonly (readonly [string, string])[]): Command {
  const text = lines.map(([typed, does]) => `  # ${does}\n  $ ${typed}`);
  return command.addHelpText('after', `\nExamples:\n${text.join('\n')}`);
}
