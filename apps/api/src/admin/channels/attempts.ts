import type { ChannelRegistry } from '@postrider/channels';
import { isAttemptPosition, listChannelAttempts } from '@postrider/db';
import { ATTEMPT_STATUSES } from '@postrider/domain';
import { presentChannelAttempt } from '../../delivery-runs/present.ts';
import { MEMORY } from '../../http/memory.ts';
import { DELIVERIES_EXAMPLE } from '../../openapi/examples.ts';
import { ref } from '../../openapi/schema.ts';
import { described, oneOf, searchedBackTo, TIME } from '../../paging/query.ts';
import { listPage } from '../operation.ts';
import { CHANNEL, CHANNEL_PATH } from './schema.ts';

const { message_id, delivery_runs } = DELIVERIES_EXAMPLE;
const { tried: _tried, skipped_copies: _copies, ...SHORT } = delivery_runs[0]?.attempts[0] ?? {};
const EXAMPLE = {
  ...SHORT,
  message_id,
  event_key: 'order.shipped',
  ...{ replay: 0, run_status: 'retrying', test: false },
};

export const attemptsWith = (kinds: ChannelRegistry) =>
  listPage({
    path: `${CHANNEL_PATH}/attempts`,
    operationId: 'listChannelAttempts',
    forConsumers: true,
    scope: 'messages:read',
    memory: MEMORY.page,
    summary: 'List the attempts of a channel',
    description:
      'Those of the newest messages first, and of one delivery the newest first. A filter that matches little examines about 5,000 ' +
      'deliveries at a time: a page can be short or empty while `has_more` is true.',
    parent: CHANNEL,
    filters: {
      outcome: described('Only attempts with this status.', oneOf(ATTEMPT_STATUSES)),
      error_code: described('Only attempts with this error.', oneOf(kinds.attemptErrorCodes)),
      started_after: described('Only attempts that began at this time or later.', TIME),
    },
    orderedBy: isAttemptPosition,
    read: (db, { parent: { id: channelId, environmentId }, filter, after, limit }) =>
      listChannelAttempts(db, { channelId, environmentId, ...filter, after, limit }),
    present: presentChannelAttempt,
    more: ({ nextAfter }) => ({ searched_back_to: searchedBackTo(nextAfter) }),
    schema: ref('ChannelAttemptList'),
    example: EXAMPLE,
  });
