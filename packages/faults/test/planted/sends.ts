import type { Ledgers } from '../../src/ledgers.ts';
import { contentOf } from '../support/clean-ledgers.ts';
import {
  clean,
  inDatabase,
  type Planted,
  withAttempts,
  withContent,
  withoutMessage,
  withSend,
} from './planting.ts';

/** Both sends of the run with the unknown first attempt, at the given time. */
export const doubledAt = (at: number): Ledgers => ({
  ...clean,
  receivers: clean.receivers.map((send) => (send.runId === 'run_doubled' ? { ...send, at } : send)),
});

const OTHER = ['send_of_another_event'] as const;

/** Sends that nothing explains, that have another event's content, or that came too early. */
export const PLANTED_SENDS: readonly Planted[] = [
  ['a send of a run that is not in the database', withSend('phantom'), ['send_without_event']],
  [
    'a send of a run whose message is not in the database',
    inDatabase({ messages: withoutMessage('doubled') }),
    ['send_without_event', 'acknowledged_event_lost', 'idempotency_record_differs', 'usage_differs'],
  ],
  ['a send with all that belongs to another event', withContent('plain', contentOf('refused')), OTHER],
  ['a send with the body of another event', withContent('plain', { reference: 'event-refused' }), OTHER],
  ['a send with another body of its event', withContent('plain', { variant: 'b' }), OTHER],
  ['a send to another recipient', withContent('plain', { recipient: 'refused@example.com' }), OTHER],
  ['a mail to another recipient', withContent('asked-twice', { recipient: 'plain@example.com' }), OTHER],
  ['a body that names another run', withContent('plain', contentOf('plain', 'refused')), OTHER],
  ['a duplicate of a run without any other attempt', withSend('plain'), ['unexplained_duplicate']],
  [
    'a duplicate of a run whose other attempt is known to have failed',
    {
      ...clean,
      receivers: clean.receivers.map((send) => ({ ...send, answer: 'accepted' })),
    },
    ['unexplained_duplicate'],
  ],
  ['a third acceptance where one attempt is unknown', withSend('doubled'), ['unexplained_duplicate']],
  [
    'as many acceptances as attempts, and two of them before the second attempt',
    doubledAt(1_150),
    ['unexplained_duplicate'],
  ],
  [
    'an acceptance after the only attempt was over',
    {
      ...clean,
      receivers: clean.receivers.map((send) => (send.runId === 'run_plain' ? { ...send, at: 1_202 } : send)),
    },
    ['unexplained_duplicate'],
  ],
  [
    'a duplicate of a run whose other sender did not take it',
    {
      ...withSend('plain'),
      database: withAttempts('run_plain', () => ({ tried: [{ sender: 'main', outcome: 'failed' }] }))
        .database,
    },
    ['unexplained_duplicate'],
  ],
  ['a refused send without an attempt', withSend('plain', { answer: 'refused' }), ['send_without_attempt']],
  [
    'a success that no receiver accepted',
    { ...clean, receivers: clean.receivers.filter(({ runId }) => runId !== 'run_plain') },
    ['success_without_send'],
  ],
  ['a send of a cancelled run', withSend('cancelled'), ['unexplained_duplicate', 'send_after_cancel']],
  [
    'a scheduled run that was claimed early',
    withAttempts('run_scheduled', () => ({ startedAt: 4_999 })),
    ['scheduled_send_early'],
  ],
  [
    'a scheduled run that reached its receiver early',
    {
      ...clean,
      receivers: clean.receivers.map((send) =>
        send.runId === 'run_scheduled' ? { ...send, at: 4_999 } : send,
      ),
    },
    ['scheduled_send_early', 'unexplained_duplicate'],
  ],
];
