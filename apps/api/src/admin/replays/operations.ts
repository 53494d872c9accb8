import type { ChannelRegistry } from '@postrider/channels';
import {
  cancelReplayBatch,
  createReplayBatch,
  findUsableChannels,
  listReplayBatches,
  previewReplay,
  readReplayBatch,
} from '@postrider/db';
import {
  DEFAULT_REPLAY_PACE,
  type EnvironmentRecord,
  parseId,
  presentReplayBatch,
  presentReplayPreview,
  type ReplayBatchRecord,
  toMessageFilter,
} from '@postrider/domain';
import { MEMORY } from '../../http/memory.ts';
import { created, type Detail, ok, type Reply, refuse } from '../../http/reply.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { ENVIRONMENT_ID, pathId } from '../../openapi/parameters.ts';
import { ref } from '../../openapi/schema.ts';
import { invalid } from '../../validation/body.ts';
import { ENVIRONMENT } from '../environments.ts';
import { SUPPORT_TAG } from '../messages.ts';
import {
  type AdminRequestWithBody,
  type AdminResource,
  find,
  getOne,
  idOf,
  listPage,
  type Named,
  withBody,
  withoutBody,
} from '../operation.ts';
import { type ReplaysBody, replaySchemas, replaysBodySchema } from './schema.ts';

const REPLAY_PATH = '/admin/v1/replays/{replayId}';
const REPLAYS_PATH = '/admin/v1/environments/{environmentId}/replays';

const FILTER = {
  run_status: 'failed',
  error_code: 'webhook_timeout',
  created_after: '2026-11-21T06:00:00.000Z',
};

const BATCH_EXAMPLE = {
  id: 'rpb_01kb2w3c5nfxq8s0v7z4m2t6ya',
  environment_id: EXAMPLE_IDS.environment,
  status: 'pending',
  reason: null,
  filter: { ...FILTER, created_before: '2026-11-21T11:00:00.000Z' },
  channels: [EXAMPLE_IDS.webhookChannel],
  messages_per_second: 20,
  matched: 1_312,
  matched_is_lower_bound: false,
  replayed: 0,
  skipped: {
    no_matching_channel: 0,
    template_not_found: 0,
    filtered: 0,
    too_large_for_filters: 0,
    recipient_email_missing: 0,
    test_message: 0,
    message_erased: 0,
  },
  position: null,
  failures: 0,
  last_error_code: null,
  retry_at: null,
  created_at: '2026-11-21T11:00:00.000Z',
  started_at: null,
  completed_at: null,
};

const RUNNING_EXAMPLE = {
  ...BATCH_EXAMPLE,
  status: 'running',
  replayed: 240,
  skipped: { ...BATCH_EXAMPLE.skipped, no_matching_channel: 2 },
  position: EXAMPLE_IDS.message,
  started_at: '2026-11-21T11:00:00.210Z',
};

const REPLAY_ID = pathId('replayId', 'rpb', 'a bulk replay', BATCH_EXAMPLE.id);

/** How paths identify a bulk replay. */
const REPLAY_BATCH: Named<ReplayBatchRecord> = {
  parameter: REPLAY_ID,
  read: readReplayBatch,
  notFound: 'replay_batch_not_found',
};

/** Why no bulk replay is created, by outcome. */
const REFUSALS = {
  already_open: 'The environment has a bulk replay that has not ended: wait for it or cancel it.',
  being_erased: 'The data of this recipient is being erased: wait until the erasure has ended.',
} as const;

/** Starts a bulk replay in the background, or counts its messages. */
const createWith = (kinds: ChannelRegistry) =>
  withBody<ReplaysBody>({
    method: 'post',
    path: REPLAYS_PATH,
    operationId: 'createReplayBatch',
    memory: MEMORY.small,
    summary: 'Replay the messages that match',
    description:
      'Creates new delivery runs for the messages that exist now and match, newest first, in the ' +
      'background at a given pace. The rules are those of a single replay: channels and templates ' +
      'at that time, and 1 of the quota for each message; messages that cannot be replayed are ' +
      'counted by reason. If the filter has conditions on runs, only the channels of the matching ' +
      'runs are used. An environment has one bulk replay at a time. With `dry_run` it only counts ' +
      'the matching messages (200).',
    parameters: [ENVIRONMENT_ID],
    body: {
      schema: replaysBodySchema(kinds),
      examples: {
        count: { summary: 'Count what would be replayed', value: { filter: FILTER, dry_run: true } },
        failed: {
          summary: 'Messages that timed out, to one channel',
          value: { filter: FILTER, channels: [EXAMPLE_IDS.webhookChannel], messages_per_second: 20 },
        },
      },
    },
    success: { status: 201, schema: ref('ReplayBatch'), example: BATCH_EXAMPLE },
    alternative: {
      status: 200,
      schema: ref('ReplayPreview'),
      example: { dry_run: true, filter: BATCH_EXAMPLE.filter, matched: 1_312, matched_is_lower_bound: false },
    },
    errors: ['environment_not_found', 'conflict'],
    run: ({ db, newId }) => {
      async function chooseChannels(environmentId: string, names: readonly string[]) {
        const ids = names.map((name) => parseId('chn', name));
        const usable = await findUsableChannels(db, {
          environmentId,
          ids: ids.filter((id) => id !== null),
        });
        const issues = ids.flatMap((id, index): Detail[] =>
          id !== null && usable.has(id)
            ? []
            : [
                {
                  path: `/channels/${index}`,
                  code: 'unknown_channel',
                  message: 'is not an enabled channel of this environment',
                },
              ],
        );
        return { ids: [...usable], issues };
      }

      async function replay(
        { actor, body }: AdminRequestWithBody<ReplaysBody>,
        environment: EnvironmentRecord,
      ): Promise<Reply> {
        const environmentId = environment.id;
        const chosen = body.channels && (await chooseChannels(environmentId, body.channels));
        if (chosen && chosen.issues.length > 0) return invalid(chosen.issues);
        const filter = toMessageFilter(body.filter);
        if (body.dry_run === true) {
          return ok(presentReplayPreview(await previewReplay(db, { environmentId, filter })));
        }
        const stored = await createReplayBatch(
          { db, newId, actor },
          {
            tenantId: environment.tenantId,
            environmentId,
            filter,
            channelIds: chosen?.ids ?? null,
            messagesPerSecond: body.messages_per_second ?? DEFAULT_REPLAY_PACE,
          },
        );
        return stored.outcome === 'created'
          ? created(presentReplayBatch(stored.batch))
          : refuse('conflict', { message: REFUSALS[stored.outcome] });
      }

      return async (request) => {
        const environment = await find(db, request, ENVIRONMENT);
        return environment ? replay(request, environment) : refuse('environment_not_found');
      };
    },
  });

const list = listPage({
  path: REPLAYS_PATH,
  operationId: 'listReplayBatches',
  memory: MEMORY.rows,
  summary: 'List bulk replays',
  description: 'The bulk replays of an environment, newest first.',
  parent: ENVIRONMENT,
  read: (db, { parent, after, limit }) => listReplayBatches(db, { environmentId: parent.id, after, limit }),
  present: presentReplayBatch,
  schema: ref('ReplayBatchList'),
  example: RUNNING_EXAMPLE,
});

const get = getOne({
  path: REPLAY_PATH,
  operationId: 'getReplayBatch',
  memory: MEMORY.small,
  summary: 'Read a bulk replay',
  description: 'The bulk replay and its progress.',
  of: REPLAY_BATCH,
  present: presentReplayBatch,
  schema: ref('ReplayBatch'),
  example: RUNNING_EXAMPLE,
});

/** Stops a bulk replay after the page in progress. */
const cancel = withoutBody({
  method: 'post',
  path: `${REPLAY_PATH}/cancel`,
  operationId: 'cancelReplayBatch',
  memory: MEMORY.small,
  summary: 'Cancel a bulk replay',
  description:
    'Waits for the few messages that are being replayed; no others follow. Existing runs ' +
    'continue. Cancelling it again changes nothing.',
  parameters: [REPLAY_ID],
  success: {
    status: 200,
    schema: ref('ReplayBatch'),
    example: { ...RUNNING_EXAMPLE, status: 'cancelled', completed_at: '2026-11-21T11:00:12.480Z' },
  },
  errors: ['replay_batch_not_found', 'conflict'],
  run:
    ({ db, newId }) =>
    async (request) => {
      const id = idOf(request, REPLAY_ID);
      if (id === null) return refuse('replay_batch_not_found');
      const cancelled = await cancelReplayBatch({ db, newId, actor: request.actor }, id);
      switch (cancelled.outcome) {
        case 'cancelled':
          return ok(presentReplayBatch(cancelled.batch));
        case 'ended':
          return refuse('conflict', { message: `The bulk replay is ${cancelled.batch.status}.` });
        case 'not_found':
          return refuse('replay_batch_not_found');
      }
    },
});

export const replaysResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: SUPPORT_TAG,
  schemas: replaySchemas(kinds),
  operations: [createWith(kinds), list, get, cancel],
});
