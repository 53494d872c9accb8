import type { ChannelRegistry } from '@postrider/channels';
import type { Message, MessageLists, PagedList } from '@postrider/client';
import { Command } from 'commander';
import { type Act, ENVIRONMENT_OPTION, examples } from '../action.ts';
import { awaitMessage, showMessage } from '../deliveries.ts';
import { environmentOf } from '../environment.ts';
import { fieldsIn, withFields } from '../field-options.ts';
import { type ListOptions, listOptions, showList } from '../lists.ts';
import { filtersWithRuns, MESSAGE_FILTERS } from '../message-filters.ts';
import { recordWithRuns, table } from '../output/table.ts';
import type { Session } from '../session.ts';
import { given, list } from '../values.ts';

const COLUMNS = ['id', 'created_at', 'event_key', 'status', 'recipient.email'];
/** The fields that the columns need. */
const FIELDS = ['id', 'created_at', 'event_key', 'status', 'recipient'] as const;

/** Lists messages. JSON contains all fields; a table is read without payloads. */
function listed<Query>(
  session: Session,
  messages: MessageLists<Query, Message>,
): PagedList<Query, Partial<Message>> {
  return session.json ? messages : messages.pick(FIELDS);
}

function listCommand(act: Act): Command {
  const command = withFields(listOptions(new Command('list')), MESSAGE_FILTERS)
    .description('the messages of the token’s environment, newest first')
    .action(
      act((session, options: ListOptions) =>
        showList(session, listed(session, session.postrider().messages), {
          columns: COLUMNS,
          filters: fieldsIn(MESSAGE_FILTERS, options),
          options,
        }),
      ),
    );
  return examples(command, {
    'postrider messages list --status failed --after 2026-11-21T00:00:00Z': 'What went wrong today.',
  });
}

function searchCommand(act: Act, kinds: ChannelRegistry): Command {
  const filters = filtersWithRuns(kinds);
  const command = withFields(listOptions(new Command('search')), filters)
    .description(
      'search the messages of any environment, with ADMIN_TOKEN; run filters apply to the same run',
    )
    .requiredOption('--environment <id>', 'the environment, env_…')
    .action(
      act((session, { environment, ...options }: ListOptions & { environment: string }) => {
        const source = listed(session, session.admin().messages.of(environment));
        return showList(session, source, { columns: COLUMNS, filters: fieldsIn(filters, options), options });
      }),
    );
  return examples(command, {
    'postrider messages search --environment env_01… --run-status failed --error-code smtp_auth_failed --all':
      'Which mails failed because the server refused the login?',
  });
}

function showCommand(act: Act): Command {
  const command = new Command('show')
    .description('show the timeline of a message: every delivery run and every attempt')
    .argument('<message>', 'the message, msg_…')
    .option(...ENVIRONMENT_OPTION)
    .action(
      act((session, id: string, { environment }: { environment?: string }) =>
        showMessage(session, environmentOf(session, environment).messages, id),
      ),
    );
  return examples(command, {
    'postrider messages show msg_01kb2t5rwhffh8rkc5f0m1ek9q': 'Why has it not arrived?',
  });
}

interface ReplayOptions {
  readonly channels?: string[];
  readonly environment?: string;
  readonly wait?: boolean;
}

function replayCommand(act: Act): Command {
  const command = new Command('replay')
    .description(
      'deliver a message again now, with the current channels and templates; counts 1 against the quota',
    )
    .argument('<message>', 'the message, msg_…')
    .option('--channels <ids>', 'to these channels only, chn_…,chn_…', list)
    .option(...ENVIRONMENT_OPTION)
    .option(
      '--wait',
      'wait until every run has ended, then show the timeline; exits with 1 unless all succeeded',
    )
    .action(
      act(async (session, id: string, options: ReplayOptions) => {
        const input = given({ channels: options.channels });
        const messages = environmentOf(session, options.environment).messages;
        const replayed = await messages.replay(id, input, session.call);
        if (options.wait) {
          await awaitMessage(session, messages, id);
          return;
        }
        session.show(replayed, recordWithRuns(['id', 'channel.kind', 'channel.name', 'status']));
      }),
    );
  return examples(command, {
    'postrider messages replay msg_01kb2t5rwhffh8rkc5f0m1ek9q --wait': 'When the endpoint works again.',
  });
}

const OUTCOMES = ['id', 'channel.kind', 'channel.name', 'status', 'outcome'];

function rescheduleCommand(act: Act): Command {
  const command = new Command('reschedule')
    .description('reschedule the deliveries of a message that are still scheduled')
    .argument('<message>', 'the message, msg_…')
    .requiredOption('--at <time>', 'when to deliver, RFC 3339 with offset; a past time means now')
    .option(...ENVIRONMENT_OPTION)
    .action(
      act(async (session, id: string, { at, environment }: { at: string; environment?: string }) => {
        const moved = await environmentOf(session, environment).messages.reschedule(id, at, session.call);
        session.show(moved, ({ delivery_runs }, style) => table(OUTCOMES, delivery_runs, style));
      }),
    );
  return examples(command, {
    'postrider messages reschedule msg_01kb2t5rwhffh8rkc5f0m1ek9q --at 2026-12-24T18:00:00Z':
      'On another day.',
  });
}

function cancelCommand(act: Act): Command {
  const command = new Command('cancel')
    .description('cancel the deliveries of a message that are still scheduled')
    .argument('<message>', 'the message, msg_…')
    .option(...ENVIRONMENT_OPTION)
    .action(
      act(async (session, id: string, { environment }: { environment?: string }) => {
        const cancelled = await environmentOf(session, environment).messages.cancel(id, session.call);
        session.show(cancelled, ({ delivery_runs }, style) => table(OUTCOMES, delivery_runs, style));
      }),
    );
  return examples(command, {
    'postrider messages cancel msg_01kb2t5rwhffh8rkc5f0m1ek9q': 'Before it is sent.',
  });
}

/** `postrider messages`: the state of events and their deliveries. */
export function messagesCommand(act: Act, kinds: ChannelRegistry): Command {
  return new Command('messages')
    .description('read and replay messages')
    .addCommand(listCommand(act))
    .addCommand(searchCommand(act, kinds))
    .addCommand(showCommand(act))
    .addCommand(replayCommand(act))
    .addCommand(rescheduleCommand(act))
    .addCommand(cancelCommand(act));
}
