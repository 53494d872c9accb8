import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { type ListOptions, listOptions, showList } from '../lists.ts';
import { record } from '../output/table.ts';

const COLUMNS = ['ordering_key', 'sequence', 'blocked_at', 'last_error_code', 'waiting', 'delivery_run_id'];
const CHANNEL = ['<channel>', 'the channel, chn_…'] as const;

function listBlockedCommand(act: Act): Command {
  const command = listOptions(new Command('blocked-keys'))
    .description('list the ordering keys of a channel that are blocked because a run has failed permanently')
    .argument(...CHANNEL)
    .action(
      act((session, id: string, options: ListOptions) =>
        showList(session, session.admin().channels.blockedKeys(id), {
          columns: COLUMNS,
          filters: {},
          options,
        }),
      ),
    );
  return examples(command, ['postrider channels blocked-keys chn_01… --all', 'Which keys need a decision?']);
}

function unblockCommand(
  act: Act,
  name: 'retry' | 'skip',
  { description, example }: { description: string; example: string },
): Command {
  const command = new Command(`${name}-blocked-key`)
    .description(description)
    .argument(...CHANNEL)
    .requiredOption('--ordering-key <key>', 'the ordering_key of the events')
    .action(
      act(async (session, id: string, { orderingKey: ordering_key }: { orderingKey: string }) => {
        const { channels } = session.admin();
        const unblock = name === 'retry' ? channels.blockedKeysRetry : channels.blockedKeysSkip;
        const done = await unblock(id, { ordering_key }, session.call);
        session.show(done, record);
        if (!done.unblocked) session.note('The key was not blocked: nothing has changed.');
      }),
    );
  return examples(command, [
    `postrider channels ${name}-blocked-key chn_01… --ordering-key order-A-1042`,
    example,
  ]);
}

/** `postrider channels blocked-keys` and what unblocks one: docs/specification.md, "Ordering". */
export const blockedKeyCommands = (act: Act): Command[] => [
  listBlockedCommand(act),
  unblockCommand(act, 'retry', {
    description: 'send the failed run of an ordering key again; later runs wait for it',
    example: 'After its cause was fixed.',
  }),
  unblockCommand(act, 'skip', {
    description: 'continue with the next run of an ordering key; the receiver sees a gap in the sequence',
    example: 'If the event is no longer needed.',
  }),
];
