import {
  createReplayBatch as create,
  type EnvironmentRecord,
  findUsableChannels,
  presentReplayBatch,
  presentReplayPreview,
  previewReplay,
  toMessageFilter,
} from '@postrider/db';
import { DEFAULT_REPLAY_PACE, parseId } from '@postrider/domain';
import { created, type Detail, ok, type Reply, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { environmentOf } from '../environments/environment-of.ts';
import { type AdminOperation, type AdminRequestWithBody, withBody } from '../operation.ts';
import { REPLAYS_BODY_SCHEMA, type ReplaysBody } from './schema.ts';

const ALREADY_OPEN = 'The environment has a bulk replay that is not at its end: wait for it or cancel it.';

/**
 * POST /admin/v1/environments/{environmentId}/replays: replays what matches in the background, or counts it.
 */
export function createReplayBatch({ db, newId }: AdminDeps): AdminOperation {
  async function chooseChannels(environmentId: string, names: readonly string[]) {
    const ids = names.map((name) => parseId('chn', name));
    const usable = await findUsableChannels(db, {
      environmentId,
      ids: ids.filter((id) => id !== null),
    });
    const faults = ids.flatMap((id, index): Detail[] =>
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
    return { ids: [...usable], faults };
  }

  async function replay(
    { actor, body }: AdminRequestWithBody<ReplaysBody>,
    environment: EnvironmentRecord,
  ): Promise<Reply> {
    const environmentId = environment.id;
    const chosen = body.channels && (await chooseChannels(environmentId, body.channels));
    if (chosen && chosen.faults.length > 0) return invalid(chosen.faults);
    const filter = toMessageFilter(body.filter);
    if (body.dry_run === true) {
      return ok(presentReplayPreview(await previewReplay(db, { environmentId, filter })));
    }
    const stored = await create(
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
      : refuse('conflict', { message: ALREADY_OPEN });
  }

  return withBody<ReplaysBody>({
    method: 'POST',
    path: '/admin/v1/environments/:environmentId/replays',
    schema: REPLAYS_BODY_SCHEMA,
    run: async (request) => {
      const environment = await environmentOf(db, request);
      return environment ? replay(request, environment) : refuse('environment_not_found');
    },
  });
}
