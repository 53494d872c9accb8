import { Command, Option } from 'commander';
import type { Act } from '../action.ts';
import { showMessage, waitUntilSettled } from '../deliveries.ts';
import { examples } from '../help.ts';
import { type ListOptions, listOptions, showList } from '../lists.ts';
import { record, table } from '../output/table.ts';
import { given, list } from '../values.ts';

const MESSAGE_STATUSES = ['pending', 'delivered', 'partially_delivered', 'failed', 'cancelled'] as const;
const COLUMNS = ['id', 'created_at', 'event_key', 'status', 'recipient.email'];

interface Filters extends ListOptions {
  readonly eventKey?: string;
  readonly status?: (typeof MESSAGE_STATUSES)[number];
  readonly to?: string;
  readonly after?: string;
  readonly before?: string;
}

function listCommand(act: Act): Command {
  const command = listOptions(new Command('list'))
    .description('the messages of the token’s environment, newest first')
    .option('--event-key <key>', 'of this event')
    .addOption(new Option('--status <status>', 'in this state').choices(MESSAGE_STATUSES))
    .option('--to <email>', 'to this address')
    .option('--after <time>', 'accepted at or after, such as 2026-11-21T00:00:00Z')
    .option('--before <time>', 'accepted before')
    .action(
      act(async (session, { eventKey, status, to, after, before, ...options }: Filters) => {
        const filters = given({
          event_key: eventKey,
          status,
          recipient_email: to,
          created_after: after,
          created_before: before,
        });
        await showList(session, session.postrider().messages, { columns: COLUMNS, filters, options });
      }),
    );
  return examples(command, [
    'postrider messages list --status failed --after 2026-11-21T00:00:00Z',
    'What went wrong today.',
  ]);
}

function showCommand(act: Act): Command {
  const command = new Command('show')
    .description('draw what happened to a message: every delivery run and every attempt, in order')
    .argument('<message>', 'the message, msg_…')
    .action(act((session, id: string) => showMessage(session, id)));
  return examples(command, [
    'postrider messages show msg_01kb2t5rwhffh8rkc5f0m1ek9q',
    'Why has it not arrived?',
  ]);
}

function replayCommand(act: Act): Command {
  const command = new Command('replay')
    .description(
      'deliver a message again at once, with the channels and templates of now; counts 1 against the quota',
    )
    .argument('<message>', 'the message, msg_…')
    .option('--channels <ids>', 'to these channels only, chn_…,chn_…', list)
    .option('--wait', 'wait until all is delivered or failed, and draw what happened')
    .action(
      act(async (session, id: string, options: { channels?: string[]; wait?: boolean }) => {
        const input = given({ channels: options.channels });
        const replayed = await session.postrider().messages.replay(id, input, session.call);
        if (options.wait) {
          await waitUntilSettled(session, id);
          await showMessage(session, id);
          return;
        }
        session.show(replayed, ({ delivery_runs, ...message }, style) =>
          [
            record(message, style),
            table(['id', 'channel.kind', 'channel.name', 'status'], delivery_runs, style),
          ].join('\n\n'),
        );
      }),
    );
  return examples(command, [
    'postrider messages replay msg_01kb2t5rwhffh8rkc5f0m1ek9q --wait',
    'Once the endpoint is mended.',
  ]);
}

/** `postrider messages`: what has become of events. */
export function messagesCommand(act: Act): Command {
  return new Command('messages')
    .description('what has become of events')
    .addCommand(listCommand(act))
    .addCommand(showCommand(act))
    .addCommand(replayCommand(act));
}
