import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
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
];

/** `postrider lookup`: finds an id or an address in any environment. */
export function lookupCommand(act: Act): Command {
  const command = new Command('lookup')
    .description('find a message, run, attempt, request or trace id, or a recipient, in any environment')
    .argument('<text>', 'the id or the address')
    .action(
      act(async (session, q: string) => {
        const found = await session.admin().lookup.find({ q }, session.call);
        session.show(found, ({ results }, style) =>
          results.length === 0 ? 'nothing found with this id or address' : table(COLUMNS, results, style),
        );
        if (found.has_more)
          session.note('There are more: search the environment (postrider messages search).');
      }),
    );
  return examples(command, ['postrider lookup ada@example.com', 'Why did Ada not get an email?']);
}
