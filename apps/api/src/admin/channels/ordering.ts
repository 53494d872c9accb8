import { type BlockedKey, listBlockedKeys, unblockKey } from '@postrider/db';
import {
  formatId,
  type JsonObject,
  MAX_ORDERING_KEY_LENGTH,
  PLAIN_TEXT_PATTERN,
  presentFields,
  reject,
} from '@postrider/domain';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { returns } from '../../openapi/operation.ts';
import * as json from '../../openapi/schema.ts';
import { quotaExceeded } from '../../pipeline/limits.ts';
import { adminOperation, listPage } from '../operation.ts';
import { CHANNEL, CHANNEL_PATH } from './schema.ts';

const KEYS_PATH = `${CHANNEL_PATH}/blocked-keys` as const;

/** Body of the operations on one key (docs/specification.md, "Ordering"). */
const KEY_SCHEMA = json.closedObject(['ordering_key'], {
  ordering_key: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_ORDERING_KEY_LENGTH,
    pattern: PLAIN_TEXT_PATTERN,
    description: 'The `ordering_key` of the events.',
  },
});

export const ORDERING_SCHEMAS: json.Schemas = {
  BlockedKey: json.record('An ordering key whose run has failed for good, so that later runs are held.', {
    ordering_key: json.text('The key.'),
    sequence: json.ordinal('The sequence of the failed run.'),
    blocked_at: json.time('Since when.'),
    delivery_run_id: json.id('run', 'The failed run.'),
    message_id: json.nullable(
      json.id('msg', 'Its message; null if it was removed: the key can then only be skipped.'),
    ),
    last_error_code: json.nullable(json.text('What went wrong.')),
    waiting: json.count('Held runs, counted up to 1,000.'),
  }),
  BlockedKeyList: json.pageOf('BlockedKey', 'A page of the blocked keys of a channel, in their order.'),
  UnblockedKey: json.record('The result for an ordering key.', {
    ordering_key: json.text('The key.'),
    unblocked: json.flag('False if it was not blocked: nothing has changed.'),
    delivery_run_id: json.nullable(json.id('run', 'The run that is sent now, or null.')),
  }),
};

const present = ({ key, runId, messageId, ...blocked }: BlockedKey): JsonObject => ({
  ordering_key: key,
  ...presentFields(blocked, ['sequence', 'blockedAt']),
  delivery_run_id: formatId('run', runId),
  message_id: messageId && formatId('msg', messageId),
  ...presentFields(blocked, ['lastErrorCode', 'waiting']),
});

/** The blocked keys of a channel with `on_exhausted: "block"`. */
export const listBlocked = listPage({
  path: KEYS_PATH,
  operationId: 'listBlockedKeys',
  forTokens: 'reads',
  scope: 'channels:read',
  summary: 'List the blocked ordering keys of a channel',
  description:
    'The keys whose runs are held because a run has failed permanently, ordered by key. Other keys ' +
    'are not affected.',
  parent: CHANNEL,
  read: (db, { parent, after, limit }) => {
    const { id: channelId, environmentId } = parent;
    return listBlockedKeys(db, { environmentId, channelId, after, limit });
  },
  present,
  schema: json.ref('BlockedKeyList'),
  example: {
    ordering_key: 'order-A-1042',
    sequence: 7,
    blocked_at: '2026-11-21T09:42:10.000Z',
    delivery_run_id: EXAMPLE_IDS.scheduledRun,
    message_id: EXAMPLE_IDS.message,
    last_error_code: 'webhook_http_error',
    waiting: 3,
  },
});

const unblock = (
  by: 'retry' | 'skip',
  texts: { operationId: string; summary: string; description: string },
) =>
  adminOperation({
    path: `${KEYS_PATH}/${by}`,
    forTokens: by === 'retry' ? 'delivers' : 'changes',
    scope: 'channels:write',
    ...texts,
    body: {
      schema: KEY_SCHEMA,
      examples: { key: { summary: 'One key', value: { ordering_key: 'order-A-1042' } } },
    },
    success: returns('UnblockedKey', {
      ordering_key: 'order-A-1042',
      unblocked: true,
      delivery_run_id: EXAMPLE_IDS.scheduledRun,
    }),
    errors: by === 'retry' ? ['conflict', 'quota_exceeded', 'payment_required'] : ['conflict'],
    run: async (request, deps) => {
      const { ordering_key } = request.body;
      const done = await unblockKey(deps, { ...request.ids, key: ordering_key, by });
      if (done.outcome === 'quota_exceeded') reject(quotaExceeded(done));
      const next = done.outcome === 'unblocked' ? done.next : null;
      // The rows are the outbox, and the response does not wait for the queue.
      if (next) void deps.enqueue([next]);
      return {
        ordering_key,
        unblocked: done.outcome === 'unblocked',
        delivery_run_id: next && formatId('run', next.runId),
      };
    },
  });

export const retryBlocked = unblock('retry', {
  operationId: 'retryBlockedKey',
  summary: 'Retry the failed run of an ordering key',
  description:
    'Sends the failed message again, as a new run with the same sequence and the currently active template. Like a ' +
    'replay, it counts 1 against the quota. Later runs wait until it has ended.',
});

export const skipBlocked = unblock('skip', {
  operationId: 'skipBlockedKey',
  summary: 'Skip the failed run of an ordering key',
  description: 'Sends the next run of the key. The receiver sees a gap in `postrider-sequence`.',
});
