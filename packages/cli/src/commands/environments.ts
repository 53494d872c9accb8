import { Command } from 'commander';
import type { Act } from '../action.ts';
import { examples } from '../help.ts';
import { type ListOptions, listOptions, showList } from '../lists.ts';
import { record } from '../output/table.ts';
import { getCommand } from '../standard-commands.ts';

/** `postrider environments`: development, staging, production of a tenant. */
export function environmentsCommand(act: Act): Command {
  const create = new Command('create')
    .description('create an environment of a tenant')
    .requiredOption('--tenant <id>', 'the tenant, ten_…')
    .requiredOption('--name <slug>', 'unique within the tenant; tokens begin with it')
    .action(
      act(async (session, { tenant, name }: { tenant: string; name: string }) => {
        session.show(await session.admin().environments.create(tenant, { name }, session.call), record);
      }),
    );
  examples(create, [
    'postrider environments create --tenant ten_01… --name staging',
    'Its tokens begin with pr_staging_.',
  ]);
  const listAll = listOptions(new Command('list'))
    .description('the environments of a tenant, newest first')
    .requiredOption('--tenant <id>', 'the tenant, ten_…')
    .action(
      act((session, { tenant, ...options }: ListOptions & { tenant: string }) =>
        showList(session, session.admin().environments.of(tenant), {
          columns: ['id', 'name', 'created_at'],
          filters: {},
          options,
        }),
      ),
    );
  const get = getCommand(
    act,
    { description: 'one environment', argument: '<environment>', about: 'the environment, env_…' },
    (session, id) => session.admin().environments.get(id, session.call),
  );
  return new Command('environments')
    .description('the isolated environments of a tenant')
    .addCommand(listAll)
    .addCommand(get)
    .addCommand(create);
}
