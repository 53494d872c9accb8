import {
  type ChannelChange,
  type ChannelRecord,
  updateChannel as change,
  type Decision,
  presentChannel,
} from '@postrider/db';
import {
  type ChannelFault,
  credentialFaults,
  DEFAULT_RETRY_POLICY,
  type JsonObject,
  type PasswordChange,
} from '@postrider/domain';
import { type Detail, ok, type Reply, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { applyPatch } from '../patch.ts';
import { passwordChangeOf, toChannelBody, toTarget } from './channel-body.ts';
import { kindNotInPlan } from './create-channel.ts';
import { CHANNEL_PATCH_SCHEMA, inConfig, validateChannel } from './schema.ts';

function credentialFaultsOf(
  current: ChannelRecord,
  next: ReturnType<typeof toTarget>,
  password: PasswordChange,
): ChannelFault[] {
  if (current.kind === 'webhook' || next.kind === 'webhook') return [];
  return credentialFaults(current, { config: next.config, password });
}

/** What a patch makes of a channel, or every fault of that. */
function decide(current: ChannelRecord, patch: JsonObject): Decision<ChannelChange, readonly Detail[]> {
  const result = applyPatch(toChannelBody(current), patch, validateChannel);
  if (!('body' in result)) return { outcome: 'refused', refusal: result.faults };
  const { body } = result;
  const target = toTarget(body);
  const password = passwordChangeOf(patch);
  const faults = inConfig(credentialFaultsOf(current, target, password));
  if (faults.length > 0) return { outcome: 'refused', refusal: faults };
  const { name, enabled = true, event_keys: eventKeys = ['*'], retry = DEFAULT_RETRY_POLICY } = body;
  return { outcome: 'change', next: { ...target, name, enabled, eventKeys, retry, password } };
}

/** PATCH /admin/v1/channels/{channelId}: holds for what is accepted and sent from then on. */
export function updateChannel({ db, newId, secretBox }: AdminDeps): AdminOperation {
  return withBody<JsonObject>({
    method: 'PATCH',
    path: '/admin/v1/channels/:channelId',
    schema: CHANNEL_PATCH_SCHEMA,
    run: async (request): Promise<Reply> => {
      const id = idOf(request, 'chn', 'channelId');
      if (id === null) return refuse('channel_not_found');
      const { actor, body } = request;
      const deps = { db, newId, secretBox, actor };
      const changed = await change(deps, id, (current) => decide(current, body));
      switch (changed.outcome) {
        case 'updated':
          return ok(presentChannel(changed.channel));
        case 'not_found':
          return refuse('channel_not_found');
        case 'kind_not_in_plan':
          return kindNotInPlan('/enabled');
        case 'refused':
          return invalid(changed.refusal);
      }
    },
  });
}
