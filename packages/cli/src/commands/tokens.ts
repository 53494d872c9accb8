import { issueToken } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { Command } from 'commander';
import { id, time } from '../arguments.ts';
import { withContext } from '../context.ts';

/** `postrider tokens`: what clients authenticate with. */
export function tokensCommand(): Command {
  const create = new Command('create')
    .description('issue a token; it is shown now and never again')
    .requiredOption('--environment <id>', 'the environment, env_…', id('env'))
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'from when it is refused', time)
    .action((options) =>
      withContext(async (context) => {
        const issued = await issueToken(context, {
          environmentId: options.environment,
          name: options.name,
          expiresAt: options.expiresAt ?? null,
        });
        return { id: formatId('tok', issued.id), token: issued.token };
      }),
    );
  return new Command('tokens').description('what clients authenticate with').addCommand(create);
}
