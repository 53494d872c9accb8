import { charged, clean, created, inDatabase, type Planted, withRequest, withTwin } from './planting.ts';

/** Contradictions between accepted events and the database. */
export const PLANTED_EVENTS: readonly Planted[] = [
  [
    'an acknowledged message that is not in the database',
    withRequest({ reference: 'event-lost', answer: created('msg_lost', ['run_lost']) }),
    ['acknowledged_event_lost'],
  ],
  [
    'an acknowledged run that is not in the database',
    withRequest({ answer: created('msg_plain', ['run_plain', 'run_lost']) }),
    ['acknowledged_run_lost'],
  ],
  [
    'an acknowledged run that belongs to another message',
    withRequest({ answer: created('msg_plain', ['run_plain', 'run_refused']) }),
    ['acknowledged_run_lost'],
  ],
  [
    'an acknowledgement without a run',
    withRequest({ answer: created('msg_plain') }),
    ['acknowledged_run_lost', 'run_not_acknowledged'],
  ],
  [
    'an event without a run for one of its channels',
    inDatabase({
      messages: clean.database.messages.map((message, index) => ({
        ...message,
        channelCount: index === 0 ? 2 : 1,
      })),
    }),
    ['run_missing'],
  ],
  ['a run of an event beyond those that its 201 named', withTwin('plain'), ['run_not_acknowledged']],
  [
    'an answer that belongs to another body',
    withRequest({ variant: 'b', answer: created('msg_plain', ['run_plain']) }),
    ['answer_of_another_body'],
  ],
  [
    'two messages for one event',
    inDatabase({
      messages: clean.database.messages.map((message) => ({
        ...message,
        reference: message.id === 'msg_refused' ? 'event-plain' : message.reference,
      })),
    }),
    ['event_accepted_twice', 'answer_of_another_body', 'send_of_another_event'],
  ],
  [
    'two answers with different messages for one event',
    withRequest({ answer: created('msg_refused', ['run_refused']) }),
    ['event_accepted_twice', 'answer_of_another_body'],
  ],
  [
    'a message that nobody sent',
    { ...clean, client: { ...clean.client, requests: clean.client.requests.slice(1) } },
    ['phantom_event'],
  ],
  [
    'a message without its idempotency record',
    inDatabase({ idempotency: clean.database.idempotency.slice(1) }),
    ['idempotency_record_differs'],
  ],
  [
    'an idempotency record without its message',
    inDatabase({
      idempotency: [
        ...clean.database.idempotency,
        {
          environmentId: 'env_1',
          operation: 'events.create',
          key: 'key-x',
          messageId: 'msg_x',
          runId: null,
        },
      ],
    }),
    ['idempotency_record_differs'],
  ],
  [
    'a tenant charged too much',
    inDatabase({
      usage: { ...clean.database.usage, tenants: [{ tenantId: 'ten_1', used: 9, limit: null }] },
    }),
    ['usage_differs'],
  ],
  [
    'an environment charged too little',
    inDatabase({
      usage: {
        ...clean.database.usage,
        environments: [{ environmentId: 'env_1', tenantId: 'ten_1', used: 5 }],
      },
    }),
    ['usage_differs'],
  ],
  [
    'an environment that was not charged',
    inDatabase({ usage: { tenants: [], environments: [] } }),
    ['usage_differs'],
  ],
  ['a replay that was not charged', inDatabase(charged(7)), ['usage_differs']],
  [
    'more accepted than the plan holds',
    inDatabase({
      usage: { ...clean.database.usage, tenants: [{ tenantId: 'ten_1', used: 8, limit: 7 }] },
    }),
    ['quota_overrun'],
  ],
];
