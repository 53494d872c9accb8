import type { SessionCommand } from '../command.ts';
import { fieldOption } from '../field-options.ts';
import { listOf } from '../lists.ts';

const COLUMNS = ['created_at', 'actor', 'actor_kind', 'action', 'resource_id', 'address', 'reason'];

const FILTERS = [
  fieldOption('--tenant <id>', 'of this tenant, ten_…', { field: 'tenant_id' }),
  fieldOption('--environment <id>', 'of this environment, env_…', { field: 'environment_id' }),
  fieldOption('--resource-type <type>', 'of this kind, such as channel'),
  fieldOption('--resource <id>', 'of this resource', { field: 'resource_id' }),
  fieldOption('--by <actor>', 'by this actor', { field: 'actor' }),
  fieldOption('--action <action>', 'such as channel.updated'),
  fieldOption('--after <time>', 'at or after, such as 2026-11-21T00:00:00Z', { field: 'created_after' }),
  fieldOption('--before <time>', 'before', { field: 'created_before' }),
];

/** `postrider audit-log`: who changed what. */
export function addAuditLog(program: SessionCommand): void {
  program
    .add('audit-log', 'who changed what, newest first; with --json also before and after')
    .inPages()
    .addFields(FILTERS)
    .examples({
      'postrider audit-log --action channel.updated --environment env_01…': 'Who changed a channel?',
      "postrider audit-log --resource chn_01… --json | jq '.data[] | {before, after}'":
        'What were the values before and after?',
    })
    .runs(listOf({ columns: COLUMNS, filters: FILTERS }, (session) => session.admin().auditLog));
}
