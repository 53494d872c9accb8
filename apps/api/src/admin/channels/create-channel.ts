import { type ChannelInput, presentChannel, createChannel as store } from '@postrider/db';
import { credentialFaults, DEFAULT_RETRY_POLICY, MAX_CHANNELS_PER_ENVIRONMENT } from '@postrider/domain';
import { created, type Detail, type Reply, refuse } from '../../http/reply.ts';
import { withRules } from '../../validation/body-validator.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { toEmailConfig } from './channel-body.ts';
import { CHANNEL_BODY_SCHEMA, type ChannelBody, inConfig, validateChannel } from './schema.ts';

/** A kind that the plan of the tenant does not include; `path` is what asked for it. */
export function kindNotInPlan(path: string): Reply {
  return invalid([
    {
      path,
      code: 'invalid_value',
      message: 'is not possible: the plan of the tenant does not include this kind',
    },
  ]);
}

function newCredentialFaults(body: ChannelBody): Detail[] {
  if (body.kind === 'webhook') return [];
  const { password } = body.config.smtp;
  const change = password ? ({ kind: 'replace', password } as const) : ({ kind: 'keep' } as const);
  return inConfig(credentialFaults(null, { config: toEmailConfig(body.config), password: change }));
}

function toInput(environmentId: string, body: ChannelBody): ChannelInput {
  const { name, enabled = true, event_keys: eventKeys = ['*'], retry = DEFAULT_RETRY_POLICY } = body;
  const common = { environmentId, name, enabled, eventKeys, retry };
  if (body.kind === 'webhook') return { ...common, kind: body.kind, config: body.config };
  const { password } = body.config.smtp;
  const config = toEmailConfig(body.config);
  return { ...common, kind: body.kind, config, ...(password ? { password } : {}) };
}

/** POST /admin/v1/environments/{environmentId}/channels: the only answer that has the webhook's secret. */
export function createChannel({ db, newId, secretBox }: AdminDeps): AdminOperation {
  return withBody<ChannelBody>({
    method: 'POST',
    path: '/admin/v1/environments/:environmentId/channels',
    schema: CHANNEL_BODY_SCHEMA,
    validate: withRules(validateChannel, [{ reads: ['/kind', '/config'], faultsOf: newCredentialFaults }]),
    run: async (request): Promise<Reply> => {
      const environmentId = idOf(request, 'env', 'environmentId');
      if (environmentId === null) return refuse('environment_not_found');
      const { actor, body } = request;
      const stored = await store({ db, newId, secretBox, actor }, toInput(environmentId, body));
      switch (stored.outcome) {
        case 'created':
          return created({ ...presentChannel(stored.channel), secret: stored.secret });
        case 'environment_not_found':
          return refuse('environment_not_found');
        case 'kind_not_in_plan':
          return kindNotInPlan('/kind');
        case 'too_many':
          return refuse('conflict', {
            message: `An environment has at most ${MAX_CHANNELS_PER_ENVIRONMENT} channels.`,
          });
      }
    },
  });
}
