import type { ChannelRegistry } from '@postrider/channels';
import type { Message, MessageLists, PagedList } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { awaitMessage, showMessage } from '../deliveries.ts';
import { filtersWithRuns, listOf, MESSAGE_FILTERS } from '../lists.ts';
import type { Style } from '../output/style.ts';
import { recordWithRuns, table } from '../output/table.ts';
import type { Session } from '../session.ts';
import { given, list, wholeNumber } from '../values.ts';

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

async function replay(
  session: Session,
  id: string,
  { channels, wait }: { channels?: string[]; wait?: boolean },
): Promise<void> {
  const { messages } = session.environment();
  const replayed = await messages.replay(id, given({ channels }), session.call);
  if (wait) return awaitMessage(session, messages, id);
  session.show(replayed, recordWithRuns(['id', 'channel.kind', 'channel.name', 'status']));
}

const OUTCOMES = ['id', 'channel.kind', 'channel.name', 'status', 'outcome'];

const outcomes = ({ delivery_runs: runs }: { readonly delivery_runs: readonly object[] }, style: Style) =>
  table(OUTCOMES, runs, style);

/** `postrider messages` and `postrider delivery-runs`: the state of events and their deliveries. */
export function addMessages(program: SessionCommand, kinds: ChannelRegistry): void {
  const group = program.add('messages', 'read and replay messages');
  group
    .add('list', 'the messages of the token’s environment, newest first')
    .inPages()
    .addFields(MESSAGE_FILTERS)
    .examples({
      'postrider messages list --status failed --after 2026-11-21T00:00:00Z': 'What went wrong today.',
    })
    .runs(
      listOf({ columns: COLUMNS, filters: MESSAGE_FILTERS }, (session) =>
        listed(session, session.postrider().messages),
      ),
    );
  const filters = filtersWithRuns(kinds);
  group
    .add(
      'search',
      'search the messages of any environment, with ADMIN_TOKEN; run filters apply to the same run',
    )
    .inPages()
    .addFields(filters)
    .needsEnvironment()
    .examples({
      'postrider messages search --environment env_01… --run-status failed --error-code smtp_auth_failed --all':
        'Which mails failed because the server refused the login?',
    })
    .runs(
      listOf({ columns: COLUMNS, filters }, (session, { environment }: { environment: string }) =>
        listed(session, session.admin().messages.of(environment)),
      ),
    );
  group
    .add('show', 'show the timeline of a message: every delivery run and every attempt')
    .argument('<message>', 'the message, msg_…')
    .inEnvironment()
    .examples({ 'postrider messages show msg_01kb2t5rwhffh8rkc5f0m1ek9q': 'Why has it not arrived?' })
    .runs((session, id: string) => showMessage(session, session.environment().messages, id));
  group
    .add(
      'replay',
      'deliver a message again now, with the current channels and templates; counts 1 against the quota',
    )
    .argument('<message>', 'the message, msg_…')
    .option('--channels <ids>', 'to these channels only, chn_…,chn_…', list)
    .inEnvironment()
    .canWait()
    .examples({
      'postrider messages replay msg_01kb2t5rwhffh8rkc5f0m1ek9q --wait': 'When the endpoint works again.',
    })
    .runs(replay);
  group
    .add('reschedule', 'reschedule the deliveries of a message that are still scheduled')
    .argument('<message>', 'the message, msg_…')
    .requiredOption('--at <time>', 'when to deliver, RFC 3339 with offset; a past time means now')
    .inEnvironment()
    .examples({
      'postrider messages reschedule msg_01kb2t5rwhffh8rkc5f0m1ek9q --at 2026-12-24T18:00:00Z':
        'On another day.',
    })
    .shows(
      (session, id: string, { at }: { at: string }) =>
        session.environment().messages.reschedule(id, at, session.call),
      outcomes,
    );
  group
    .add('cancel', 'cancel the deliveries of a message that are still scheduled')
    .argument('<message>', 'the message, msg_…')
    .inEnvironment()
    .examples({ 'postrider messages cancel msg_01kb2t5rwhffh8rkc5f0m1ek9q': 'Before it is sent.' })
    .shows((session, id: string) => session.environment().messages.cancel(id, session.call), outcomes);
  const runs = program.add('delivery-runs', 'single deliveries of a message');
  runs
    .add('cancel', 'cancel a run that is still scheduled, so that it is never sent')
    .argument('<run>', 'the delivery run, run_…')
    .inEnvironment()
    .examples({ 'postrider delivery-runs cancel run_01kb2t5rwhffh8rkc5f0m1ek9r': 'Before its time.' })
    .shows(async (session, id: string) => {
      const { attempts: _, ...run } = await session.environment().deliveryRuns.cancel(id, session.call);
      return run;
    });
  runs
    .add('content', 'show what an attempt sent, rendered again, and whether its SHA-256 matches')
    .argument('<run>', 'the delivery run, run_…')
    .option('--attempt <n>', 'the number of the attempt; the newest by default', wholeNumber)
    .inEnvironment()
    .examples({ 'postrider delivery-runs content run_01kb2t5rwhffh8rkc5f0m1ek9r': 'What did Ada receive?' })
    .shows((session, id: string, { attempt }: { attempt?: number }) =>
      session.environment().deliveryRuns.content(id, given({ attempt }), session.call),
    );
}
