import tab from '@bomb.sh/tab/commander';
import type { SessionCommand } from '../command.ts';

/**
 * `postrider completion <shell>`: a script that lets the shell complete commands and options. It is derived from
 * the command tree, so it is added last.
 */
export function addCompletion(program: SessionCommand): void {
  tab(program, { completionCommandName: 'completion' });
  const command = program.commands.find((child) => child.name() === 'completion') as SessionCommand;
  command.description('print the script that completes commands and options in a shell').examples({
    "echo 'source <(postrider completion bash)' >> ~/.bashrc":
      'bash, which needs the package bash-completion',
    "echo 'source <(postrider completion zsh)' >> ~/.zshrc": 'zsh',
    'postrider completion fish > ~/.config/fish/completions/postrider.fish': 'fish',
  });
}
