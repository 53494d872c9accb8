import type { AuditEntry } from '@postrider/client';
import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { type ListOptions, listOptions, showList } from '../lists.ts';
import { given } from '../values.ts';

const COLUMNS = ['created_at', 'actor', 'actor_kind', 'action', 'resource_id', 'address', 'reason'];

interface Filters extends ListOptions {
  readonly tenant?: string;
  readonly environment?: string;
  readonly resourceType?: AuditEntry['resource_type'];
  readonly resource?: string;
  readonly by?: string;
  readonly action?: string;
  readonly after?: string;
  readonly before?: string;
}

/** `postrider audit-log`: who changed what. */
export function auditLogCommand(act: Act): Command {
  const command = listOptions(new Command('audit-log'))
    .description('who changed what, newest first; with --json also before and after')
    .option('--tenant <id>', 'of this tenant, ten_…')
    .option('--environment <id>', 'of this environment, env_…')
    .option('--resource-type <type>', 'of this kind, such as channel')
    .option('--resource <id>', 'of this resource')
    .option('--by <actor>', 'by this actor')
    .option('--action <action>', 'such as channel.updated')
    .option('--after <time>', 'at or after, such as 2026-11-21T00:00:00Z')
    .option('--before <time>', 'before')
    .action(
      act((session, options: Filters) => {
        const { tenant, environment, resourceType, resource, by, action, after, before, ...paging } = options;
        const filters = given({
          tenant_id: tenant,
          environment_id: environment,
          resource_type: resourceType,
          resource_id: resource,
          actor: by,
          action,
          created_after: after,
          created_before: before,
        });
        return showList(session, session.admin().auditLog, { columns: COLUMNS, filters, options: paging });
      }),
    );
  return examples(command, {
    'postrider audit-log --action channel.updated --environment env_01…': 'Who changed a channel?',
    "postrider audit-log --resource chn_01… --json | jq '.data[] | {before, after}'":
      'What were the values before and after?',
  });
}
