import { switchChannel, withState } from '@postrider/db';
import { presentChannel, refuse } from '@postrider/domain';
import { MEMORY } from '../../http/memory.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { answers } from '../../openapi/operation.ts';
import { withoutBody } from '../operation.ts';
import { CHANNEL_EXAMPLE } from './actions.ts';
import { CHANNEL_PATH } from './schema.ts';

const switchTo = (
  to: 'paused' | 'resumed',
  texts: { path: string; operationId: string; summary: string; description: string; example: object },
) =>
  withoutBody({
    method: 'post',
    path: `${CHANNEL_PATH}/${texts.path}`,
    operationId: texts.operationId,
    forConsumers: true,
    scope: 'channels:write',
    memory: MEMORY.resource,
    summary: texts.summary,
    description: texts.description,
    success: answers('ConfiguredChannel', { ...CHANNEL_EXAMPLE, ...texts.example }),
    run: async (request, deps): Promise<Reply> => {
      const switched = await switchChannel(deps, { ...request.ids, to });
      if (!switched) return refuse('channel_not_found');
      return ok(presentChannel(await withState(deps.db, switched.channel), deps.kinds));
    },
  });

/** Only an operator can resume what an operator paused. */
export const pauseOperation = switchTo('paused', {
  path: 'pause',
  operationId: 'pauseChannel',
  summary: 'Pause a channel',
  description:
    'The channel still takes events, and their runs are held. There are no probes until it is ' +
    'resumed. Runs that are held for `failure_policy.max_age` seconds end as `failed` with ' +
    '`expired`. A channel that is already paused stays so, without further probes.',
  example: {
    state: { ...CHANNEL_EXAMPLE.state, code: 'paused', since: '2026-11-21T10:00:00.000Z', reason: 'manual' },
    health: { ...CHANNEL_EXAMPLE.health, state: 'paused', reason: 'manual', waiting: 12 },
  },
});

/** Also resumes a channel that the service paused. */
export const resumeOperation = switchTo('resumed', {
  path: 'resume',
  operationId: 'resumeChannel',
  summary: 'Resume a channel',
  description:
    'Ends the pause, also one that the service started. Held runs are sent oldest first, at a ' +
    'rate of 2 a second that doubles every 10 seconds up to ' +
    '`failure_policy.release_per_second`. A channel that is not paused is not changed.',
  example: {},
});
