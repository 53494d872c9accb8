import type { PagedList } from '@postrider/client';
import { Command } from 'commander';
import type { Act } from './action.ts';
import { type ListOptions, listOptions, type PageQuery, showList } from './lists.ts';
import type { Style } from './output/style.ts';
import { type Columns, record } from './output/table.ts';
import type { Session } from './session.ts';

/** Creates `list` for resources of an environment. */
export function listOfEnvironment<Item extends object>(
  act: Act,
  description: string,
  columns: Columns,
  source: (session: Session, environmentId: string) => PagedList<PageQuery, Item>,
): Command {
  return listOptions(new Command('list'))
    .description(description)
    .requiredOption('--environment <id>', 'the environment, env_…')
    .action(
      act((session, { environment, ...options }: ListOptions & { environment: string }) =>
        showList(session, source(session, environment), { columns, filters: {}, options }),
      ),
    );
}

/** Creates `get` for a resource by its id or code. */
export function getCommand<Resource extends object>(
  act: Act,
  { description, argument, about }: { description: string; argument: string; about: string },
  read: (session: Session, id: string) => Promise<Resource>,
  view: (resource: Resource, style: Style) => string = record,
): Command {
  return new Command('get')
    .description(description)
    .argument(argument, about)
    .action(act(async (session, id: string) => session.show(await read(session, id), view)));
}
