import type { ChannelRegistry } from '@postrider/channels';
import {
  type ConsumerKey,
  cancelReplayBatch,
  consumerSince,
  createReplayBatch,
  findUsableChannels,
  listReplayBatches,
  previewReplay,
  readReplayBatch,
} from '@postrider/db';
import {
  conflict,
  DEFAULT_REPLAY_PACE,
  type Detail,
  type EnvironmentRecord,
  invalid,
  invalidValue,
  type MessageFilter,
  parseId,
  presentReplayBatch,
  presentReplayPreview,
  reject,
  toMessageFilter,
} from '@postrider/domain';
import { requireSearch } from '../../access/content.ts';
import { created, ok, type Success } from '../../http/reply.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { creates, returns } from '../../openapi/operation.ts';
import { compileBody } from '../../validation/body.ts';
import { ENVIRONMENT } from '../environments.ts';
import { SUPPORT_TAG } from '../messages.ts';
import { type AdminDeps, type AdminRequest, type AdminResource, adminOperation, find } from '../operation.ts';
import { standardOperationsOf } from '../standard-operations.ts';
import { type ReplaysBody, replaySchemas, replaysBodySchema } from './schema.ts';

const FILTER = {
  run_status: 'failed',
  error_code: 'webhook_timeout',
  created_after: '2026-11-21T06:00:00.000Z',
};

const BATCH_EXAMPLE = {
  filter: { ...FILTER, created_before: '2026-11-21T11:00:00.000Z' },
  channels: [EXAMPLE_IDS.webhookChannel],
  messages_per_second: 20,
  matched: 1_312,
  created_at: '2026-11-21T11:00:00.000Z',
};

const RUNNING_EXAMPLE = {
  ...BATCH_EXAMPLE,
  status: 'running',
  replayed: 240,
  skipped: { no_matching_channel: 2 },
  position: EXAMPLE_IDS.message,
  started_at: '2026-11-21T11:00:00.210Z',
};

const STANDARD = standardOperationsOf({
  name: 'ReplayBatch',
  label: 'bulk replay',
  all: '/admin/v1/environments/{environmentId}/replays',
  one: '/admin/v1/replays/{replayId}',
  scopes: ['messages:read', 'replays:write'],
  forTokens: true,
  parent: ENVIRONMENT,
  present: presentReplayBatch,
  example: RUNNING_EXAMPLE,
});

/** The most messages per second of a bulk replay by a caller of one consumer. */
const MAX_PACE_OF_CONSUMER = 10;

/** Conditions that a caller of one consumer cannot use: they depend on more than the runs of its channels. */
const NOT_FOR_CONSUMERS = ['status', 'recipient_email'] as const;

function issuesOfConsumer({ consumerId, body: { filter } }: AdminRequest<never, ReplaysBody>): Detail[] {
  if (consumerId === null) return [];
  const issue = (name: string, message: string): Detail => invalidValue(`/filter/${name}`, message);
  return [
    ...NOT_FOR_CONSUMERS.filter((name) => filter[name] !== undefined).map((name) =>
      issue(name, 'cannot be used with the token of a consumer'),
    ),
    ...(filter.consumer === undefined || filter.consumer === consumerId
      ? []
      : [issue('consumer', 'must be the consumer of the token')]),
  ];
}

/** The channels to deliver to; null for all. Those of a consumer are always chosen, because only its own are. */
async function chooseChannels(
  db: AdminDeps['db'],
  owner: { readonly environmentId: string; readonly consumerId: string | null },
  names: readonly string[] | undefined,
) {
  if (names === undefined) {
    if (owner.consumerId === null) return { ids: null, issues: [] };
    return { ids: [...(await findUsableChannels(db, { ...owner, ids: null }))], issues: [] };
  }
  const ids = names.map((name) => parseId('chn', name));
  const usable = await findUsableChannels(db, { ...owner, ids: ids.filter((id) => id !== null) });
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

/** Older messages than the consumer are of a deleted one with its id. */
async function onlyOf(
  db: AdminDeps['db'],
  key: ConsumerKey,
  { createdAfter }: MessageFilter,
): Promise<MessageFilter> {
  const since = await consumerSince(db, key);
  const isLater = !createdAfter || createdAfter < since;
  return { consumer: key.id, ...(isLater && { createdAfter: since }) };
}

async function replay(
  { db, newId }: Pick<AdminDeps, 'db' | 'newId'>,
  { actor, body, consumerId }: AdminRequest<never, ReplaysBody>,
  environment: EnvironmentRecord,
): Promise<Success> {
  const owner = { environmentId: environment.id, consumerId };
  const chosen = await chooseChannels(db, owner, body.channels);
  if (chosen.issues.length > 0) reject(invalid(chosen.issues));
  if (chosen.ids?.length === 0) reject(conflict('The consumer has no enabled channel.'));
  const filter = toMessageFilter(body.filter);
  const ofConsumer =
    consumerId !== null && (await onlyOf(db, { environmentId: environment.id, id: consumerId }, filter));
  const { messages_per_second: pace = DEFAULT_REPLAY_PACE } = body;
  const asked = { ...owner, filter: { ...filter, ...ofConsumer }, channelIds: chosen.ids };
  if (body.dry_run === true) return ok(presentReplayPreview(await previewReplay(db, asked)));
  const batch = await createReplayBatch(
    { db, newId, actor },
    {
      ...asked,
      messagesPerSecond: consumerId === null ? pace : Math.min(pace, MAX_PACE_OF_CONSUMER),
    },
  );
  return created(presentReplayBatch(batch));
}

/** Starts a bulk replay in the background, or counts its messages. */
const createWith = (kinds: ChannelRegistry) =>
  STANDARD.create({
    forConsumers: true,
    summary: 'Replay the messages that match',
    description:
      'Creates new delivery runs for the messages that exist now and match, newest first, in the background at a ' +
      'given pace. The rules are those of a single replay: the channels and templates of that moment apply, and ' +
      'each message counts 1 against the quota. Messages that cannot be replayed are counted by reason. If the ' +
      'filter has conditions on runs, only the channels of the matching runs are used. An environment has one bulk ' +
      `replay at a time, and each consumer one of its own, with at most ${MAX_PACE_OF_CONSUMER} messages a second, ` +
      'which count against its `events_per_month`. With `dry_run` it only counts the matching messages (200).',
    body: {
      schema: replaysBodySchema(kinds),
      validate: compileBody<ReplaysBody>(replaysBodySchema(kinds)),
      examples: {
        count: { summary: 'Count what would be replayed', value: { filter: FILTER, dry_run: true } },
        failed: {
          summary: 'Messages that timed out, to one channel',
          value: { filter: FILTER, channels: [EXAMPLE_IDS.webhookChannel], messages_per_second: 20 },
        },
      },
    },
    success: creates('ReplayBatch', BATCH_EXAMPLE),
    alternative: returns('ReplayPreview', {
      dry_run: true,
      filter: BATCH_EXAMPLE.filter,
      matched: 1_312,
    }),
    errors: ['conflict'],
    run: async (request, deps) => {
      requireSearch(request, request.body.filter.recipient_email !== undefined);
      const issues = issuesOfConsumer(request);
      if (issues.length > 0) reject(invalid(issues));
      return replay(deps, request, await find(deps.db, request, ENVIRONMENT));
    },
  });

/** Stops a bulk replay after the page in progress. */
const cancel = adminOperation({
  method: 'post',
  path: '/admin/v1/replays/{replayId}/cancel',
  operationId: 'cancelReplayBatch',
  forTokens: 'changes',
  forConsumers: true,
  scope: 'replays:write',
  summary: 'Cancel a bulk replay',
  description:
    'Waits for the few messages that are being replayed; no others follow. Existing runs ' +
    'continue. Cancelling it again changes nothing.',
  success: returns('ReplayBatch', {
    ...RUNNING_EXAMPLE,
    status: 'cancelled',
    completed_at: '2026-11-21T11:00:12.480Z',
  }),
  errors: ['conflict'],
  run: async (request, deps) => presentReplayBatch(await cancelReplayBatch(deps, request.ids.replayId)),
});

export const replaysResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: SUPPORT_TAG,
  schemas: replaySchemas(kinds),
  operations: [
    createWith(kinds),
    STANDARD.list({
      operationId: 'listReplayBatches',
      forConsumers: true,
      description: 'The bulk replays of an environment, newest first.',
      read: listReplayBatches,
    }),
    STANDARD.get({
      forConsumers: true,
      description: 'The bulk replay and its progress.',
      of: { name: 'replayId', read: readReplayBatch },
    }),
    cancel,
  ],
});
