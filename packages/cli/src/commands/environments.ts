import { createEnvironment } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { Command } from 'commander';
import { id, slug } from '../arguments.ts';
import { withContext } from '../context.ts';

/** `postrider environments`: development, staging, production of a tenant. */
export function environmentsCommand(): Command {
  const create = new Command('create')
    .description('create an environment of a tenant')
    .requiredOption('--tenant <id>', 'the tenant, ten_…', id('ten'))
    .requiredOption('--name <slug>', 'unique within the tenant', slug)
    .action((options) =>
      withContext(async (context) => {
        const environment = await createEnvironment(context, {
          tenantId: options.tenant,
          name: options.name,
        });
        return { id: formatId('env', environment) };
      }),
    );
  return new Command('environments').description('the isolated environments of a tenant').addCommand(create);
}
