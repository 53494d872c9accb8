import type { ChannelRegistry } from '@postrider/channels';
import { ATTEMPT_STATUSES, RUN_FEEDBACK_TYPES, RUN_HOLDS, RUN_STATUSES } from '@postrider/domain';
import * as json from '../openapi/schema.ts';

/** Optional body of POST /api/v1/delivery-runs/{deliveryRunId}/cancel, without fields. */
export const CANCEL_BODY_SCHEMA = json.closedObject([], {});

const runStatus = json.oneOf(
  RUN_STATUSES,
  '`scheduled`: waits for its time and can be cancelled. `queued`: due, not yet started. `running`: ' +
    'an attempt is open. `retrying`: the last attempt failed or its outcome is unknown, the next is due at ' +
    '`next_attempt_at`. `succeeded`, `failed` and `cancelled` are final.',
);

/** See docs/specification.md, "Feedback". */
const feedbackSchema = json.record(
  'What a provider or mail server reported about the mail after accepting it.',
  {
    type: json.oneOf(
      RUN_FEEDBACK_TYPES,
      'The most significant report, independent of their order: `complained`, `bounced`, ' +
        '`delivered`, `deferred`.',
    ),
    permanent: json.flag('For a bounce: whether the address was suppressed because of it.'),
    at: json.time('When it happened, according to the reporter.'),
    reason: json.nullable(json.text('One line; null if none was given, and after an erasure.')),
  },
);

const errorCodeSchema = ({ attemptErrorCodes }: ChannelRegistry) =>
  json.titled(
    'Delivery error code',
    json.oneOf(
      attemptErrorCodes,
      'The error. `scheduled_cancelled` marks a cancel; after `worker_lost` and ' +
        '`smtp_outcome_unknown` the delivery may have arrived.',
    ),
  );

/** The fields of an attempt that lists of a channel show, too. */
const attemptInShort = (errorCode: json.Schema) => ({
  id: json.id('att', 'The attempt.'),
  delivery_run_id: json.id('run', 'The run that it belongs to.'),
  number: json.ordinal('From 1, in order.'),
  status: json.oneOf(
    ATTEMPT_STATUSES,
    '`unknown`: the worker, or the response of the other end, was lost. The run is retried unless it has no ' +
      'attempts left, or ended the process that tried it alone (`worker_lost`). The receiver may get it twice, with ' +
      'the same `webhook-id` and `Message-ID`.',
  ),
  error_code: json.nullable(errorCode),
  error_message: json.nullable(json.text('The error as text for readers.')),
  retryable: {
    type: ['boolean', 'null'],
    description: 'Whether another attempt could succeed; null if nothing failed.',
  },
  started_at: json.time('When it was opened, before anything was sent.'),
  completed_at: json.optionalTime('When it ended; null while it runs.'),
  duration_ms: { type: ['integer', 'null'], minimum: 0, description: 'Null while it runs.' },
  response: json.nullable(
    json.record('The response of the receiver.', {
      status_code: {
        type: 'integer',
        description: 'The HTTP status, or the reply or error code of another protocol.',
      },
      body_excerpt: json.nullable(json.text('The beginning of the response.')),
    }),
  ),
  sender: json.nullable(
    json.text(
      'The sender of an email channel that determined the result; null for other kinds, and while it runs.',
    ),
  ),
  provider_message_id: json.nullable(json.text('The provider’s id of the message, if it has one.')),
});

const attemptSchema = (errorCode: json.Schema) =>
  json.record('One attempt to deliver.', {
    ...attemptInShort(errorCode),
    tried: {
      type: 'array',
      description: 'The senders that the same attempt tried before, in order; usually none.',
      items: json.record('A sender that was tried before.', {
        sender: json.text('Its name in the channel.'),
        outcome: json.oneOf(
          ['failed', 'unknown'],
          '`failed`: the message was certainly not taken. `unknown`: it may have been, so the receiver may get it ' +
            'twice, with the same `Message-ID`; only with `failover: eager`.',
        ),
        error_code: errorCode,
        error_message: json.text('The error as text for readers.'),
      }),
    },
    skipped_copies: {
      type: 'array',
      description:
        'The addresses in `cc` or `bcc` that the attempt did not reach; usually none. Empty after an erasure.',
      items: json.record('A copy that was not sent.', {
        email: json.text('The address.'),
        outcome: json.oneOf(
          ['suppressed', 'refused'],
          '`suppressed`: it is on the suppression list, so it is in no header either. `refused`: by the mail server.',
        ),
        reason: json.nullable(json.text('What the server said: one line; null if it is suppressed.')),
      }),
    },
  });

const deliveryRunFields = (errorCode: json.Schema): json.Schemas => ({
  id: json.id('run', 'The delivery run; also the `webhook-id` of what is sent.'),
  message_id: json.id('msg', 'The message that it delivers.'),
  channel: json.ref('Channel'),
  status: runStatus,
  trigger: json.oneOf(['event', 'replay'], 'What created it.'),
  replay: json.count(
    '0 for a run of the event itself; otherwise the number of the replay, or of the retry of a blocked ordering ' +
      'key, that created it, counted for its message.',
  ),
  template: json.nullable(
    json.record('The template version that was active when the run was created; rendered when it is sent.', {
      id: json.id('tpl', 'The template version.'),
      version: json.ordinal('Its number among those of its event key and kind.'),
    }),
  ),
  attempt_count: json.count('Attempts so far.'),
  max_attempts: json.ordinal('The highest number of attempts.'),
  scheduled_at: json.optionalTime('The scheduled time; null if it is immediate.'),
  started_at: json.optionalTime('When its first attempt began.'),
  completed_at: json.optionalTime('When it ended.'),
  next_attempt_at: json.optionalTime(
    'When the next attempt is due; null unless the run is `retrying`, and while it is held.',
  ),
  held_by: json.nullable(
    json.oneOf(
      RUN_HOLDS,
      'Why it waits although it is due: `channel_paused`, until the channel is resumed or probed; `ordering_key`, until ' +
        'earlier runs of its key have ended; `channel_limits`, until the limits of its channel allow it; `stream_paused`, ' +
        'until the stream of its message is resumed. Null otherwise.',
    ),
  ),
  queue: json.nullable(
    json.record('Its position in the queue if it is held by `channel_limits`; null otherwise.', {
      ahead: json.count(
        'Runs of the channel that are due before it, counted up to 10,000 for one run and up to 500 in a list.',
      ),
      expected_at: json.optionalTime(
        'The earliest time at which the rate of its channel allows it; null if unknown.',
      ),
    }),
  ),
  sequence: {
    type: ['integer', 'null'],
    minimum: 1,
    description:
      'Its sequence within its ordering key, which is sent to the receiver. Null without a key, and before a scheduled run is due.',
  },
  created_at: json.time('When it was created.'),
  feedback: json.nullable(json.ref('RunFeedback')),
  last_error: json.nullable(
    json.record('The newest attempt with an error, even if a later one succeeded.', {
      code: errorCode,
      message: json.nullable(json.text('The error as text for readers.')),
      attempt_number: json.ordinal('The number of that attempt.'),
    }),
  ),
  attempts: json.list(json.ref('Attempt'), 'Oldest first.'),
});

/** Response schemas (docs/specification.md, "Delivery run states" and "Reads and actions"). */
export function deliverySchemas(kinds: ChannelRegistry): json.Schemas {
  const errorCode = errorCodeSchema(kinds);
  return {
    Attempt: attemptSchema(errorCode),
    ChannelAttempt: json.record('An attempt of a channel, and what it delivers.', {
      ...attemptInShort(errorCode),
      message_id: json.id('msg', 'The message.'),
      event_key: json.text('Of the message.'),
      replay: json.count('See DeliveryRun.'),
      run_status: runStatus,
      test: json.flag('Whether it is of a test send.'),
    }),
    ChannelAttemptList: json.searchedPageOf(
      'ChannelAttempt',
      'A page of attempts, those of the newest messages first.',
    ),
    RunFeedback: feedbackSchema,
    DeliveryRun: json.record('A delivery to one channel, with its attempts.', deliveryRunFields(errorCode)),
    ConsumerDelivery: json.record('A delivery to a channel of a consumer, with its attempts.', {
      ...deliveryRunFields(errorCode),
      event_key: json.text('Of its message.'),
    }),
    Deliveries: json.record('A page of the delivery runs of a message.', {
      message_id: json.id('msg', 'The message.'),
      delivery_runs: json.list(json.ref('DeliveryRun'), 'Oldest first.'),
      ...json.NEXT_PAGE,
    }),
  };
}
