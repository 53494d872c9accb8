import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { examples } from '../action.ts';

/**
 * `postrider completion <shell>`: a script that lets the shell complete commands and options. It is derived from
 * the command tree.
 */
export function completionCommand(program: Command, helpGroup: string): void {
  tab(program, { completionCommandName: 'completion' });
  const command = program.commands.find((child) => child.name() === 'completion');
  if (command === undefined) throw new Error('the library adds the command');
  command.helpGroup(helpGroup).description('print the script that completes commands and options in a shell');
  examples(command, {
    "echo 'source <(postrider completion bash)' >> ~/.bashrc":
      'bash, which needs the package bash-completion',
    "echo 'source <(postrider completion zsh)' >> ~/.zshrc": 'zsh',
    'postrider completion fish > ~/.config/fish/completions/postrider.fish': 'fish',
  });
}
