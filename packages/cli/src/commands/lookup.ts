import type { SessionCommand } from '../command.ts';
import { table } from '../output/table.ts';

const COLUMNS = [
  'type',
  'created_at',
  'tenant_name',
  'environment_id',
  'message_id',
  'delivery_run_id',
  'attempt_number',
  'event_key',
  'recipient_email',
  'status',
  'channel.name',
  'match',
];
const RESOURCES = ['type', 'id', 'name', 'detail', 'tenant_name', 'environment_name'];

/** `postrider lookup`: finds an id or an address in any environment. */
export function addLookup(program: SessionCommand): void {
  program
    .add(
      'lookup',
      'find messages by an id, address or business id, and channels, templates, consumers and tenants by name',
    )
    .argument('<text>', 'the id, the address, or the beginning of a name or business id')
    .examples({ 'postrider lookup ada@example.com': 'Why did Ada not get an email?' })
    .runs(async (session, q: string) => {
      const found = await session.admin().lookup.find({ q }, session.call);
      session.show(found, ({ results, resources }, style) => {
        const tables = [
          ...(results.length > 0 ? [table(COLUMNS, results, style)] : []),
          ...(resources.length > 0 ? [table(RESOURCES, resources, style)] : []),
        ];
        return tables.length === 0 ? 'nothing found' : tables.join('\n');
      });
      const { recipient } = found;
      if (recipient)
        session.note(
          `${recipient.failed} of ${recipient.messages}${recipient.is_lower_bound ? ' or more' : ''} messages to this address failed.`,
        );
      if (found.has_more) session.note('There are more: search the environment (postrider messages search).');
    });
}
