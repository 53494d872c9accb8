import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { type ListOptions, listOptions, showList } from '../lists.ts';

const COLUMNS = ['ordering_key', 'sequence', 'blocked_at', 'last_error_code', 'waiting', 'delivery_run_id'];

/** `postrider channels blocked-keys`: docs/specification.md, "Ordering". */
export function blockedKeysCommand(act: Act): Command {
  const command = listOptions(new Command('blocked-keys'))
    .description('list the ordering keys of a channel that are blocked because a run has failed permanently')
    .argument('<channel>', 'the channel, chn_…')
    .action(
      act((session, id: string, options: ListOptions) =>
        showList(session, session.admin().channels.blockedKeys(id), {
          columns: COLUMNS,
          filters: {},
          options,
        }),
      ),
    );
  return examples(command, {
    'postrider channels blocked-keys chn_01… --all': 'Which keys need a decision?',
  });
}
