import type { ChannelRegistry } from '@postrider/channels';
import type { MessageFilter, ReplayBatch } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { Unsuccessful, UsageError } from '../exit-codes.ts';
import { type FieldOption, fieldsIn } from '../field-options.ts';
import { filtersWithRuns } from '../lists.ts';
import { withProgress } from '../output/progress.ts';
import { record } from '../output/table.ts';
import { poll, sayingWhatContinues } from '../poll.ts';
import type { Session } from '../session.ts';
import { given, list, wholeNumber } from '../values.ts';

interface CreateOptions {
  readonly environment: string;
  readonly everyMessage?: boolean;
  readonly channels?: string[];
  readonly messagesPerSecond?: number;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
}

const isOver = ({ status }: ReplayBatch) => status !== 'pending' && status !== 'running';

const handled = ({ replayed, skipped }: ReplayBatch) =>
  Object.values(skipped).reduce((sum, count) => sum + count, replayed);

/**
 * Shows the progress of a replay until its end. Ctrl-C only ends the display.
 * @throws Unsuccessful if it was not completed
 */
async function watch(session: Session, id: string): Promise<void> {
  const { replays } = session.admin();
  const watching = withProgress('replaying', session.io.stderr, (update) => {
    const read = async () => {
      const found = await replays.get(id, session.call);
      update(handled(found), found.matched);
      return found;
    };
    return poll(session, read, isOver);
  });
  const batch = await sayingWhatContinues(
    session,
    watching,
    `The replay continues in the background. To stop it: postrider replays cancel ${id}`,
  );
  session.show(batch, record);
  if (batch.status !== 'completed') throw new Unsuccessful(`The replay is ${batch.status}.`);
}

async function create(
  session: Session,
  filters: readonly FieldOption[],
  options: CreateOptions,
): Promise<void> {
  const { environment, everyMessage, channels, messagesPerSecond, dryRun, wait } = options;
  const filter = fieldsIn<MessageFilter>(filters, options);
  if (Object.keys(filter).length === 0 && !everyMessage) {
    throw new UsageError('Use filters to select messages, or --every-message.');
  }
  const { replays } = session.admin();
  const body = { filter, ...given({ channels, messages_per_second: messagesPerSecond }) };
  if (dryRun) return session.show(await replays.count(environment, body, session.call), record);
  const batch = await replays.create(environment, body, session.call);
  if (wait) return watch(session, batch.id);
  session.show(batch, record);
}

/** The commands of `postrider replays` that are not generated. */
export function addReplays(program: SessionCommand, kinds: ChannelRegistry): void {
  const group = program.add('replays', 'replays of all messages that match');
  const filters = filtersWithRuns(kinds);
  group
    .add('create', 'replay all messages that match, newest first, in the background at a limited rate')
    .needsEnvironment()
    .addFields(filters)
    .option('--every-message', 'every message of the environment, instead of filters')
    .option('--channels <ids>', 'to these channels only, chn_…,chn_…', list)
    .option('--messages-per-second <n>', 'messages per second (50)', wholeNumber)
    .option('--dry-run', 'only count the matching messages')
    .option('--wait', 'show the progress until it ends')
    .examples({
      'postrider replays create --environment env_01… --run-status failed --error-code webhook_timeout --dry-run':
        'How many deliveries timed out?',
      'postrider replays create --environment env_01… --run-status failed --error-code webhook_timeout --wait':
        'Deliver them again.',
    })
    .runs((session, options: CreateOptions) => create(session, filters, options));
  group
    .add('watch', 'show the progress of a replay until it ends')
    .argument('<replay>', 'the replay, rpb_…')
    .runs(watch);
}
