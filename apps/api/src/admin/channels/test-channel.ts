import { acceptTestSend, readTestTarget, type TestTarget } from '@postrider/db';
import { type JsonObject, TEST_EVENT_KEY, TEST_PAYLOAD } from '@postrider/domain';
import { acceptedBody } from '../../events/accepted-body.ts';
import { type Detail, type Reply, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';
import { createPayloadCheck, type FindPayloadFaults } from '../../validation/payload-schemas.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { TEST_BODY_SCHEMA, type TestBody } from './test-schema.ts';

interface Try {
  readonly eventKey: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
}

function toTry({ event_key = TEST_EVENT_KEY, recipient = {}, payload = TEST_PAYLOAD }: TestBody): Try {
  return { eventKey: event_key, recipient, payload };
}

/** What keeps this try from being sent, as it would keep an event from being accepted. */
function faultsOf(target: TestTarget, { recipient, payload }: Try, check: FindPayloadFaults): Detail[] {
  const faults = check(target.payloadSchema, payload);
  if (target.channel.kind === 'webhook' || Object.hasOwn(recipient, 'email')) return faults;
  return [
    { path: '/recipient/email', code: 'required', message: 'is required by an email channel' },
    ...faults,
  ];
}

/**
 * POST /admin/v1/channels/{channelId}/test: sends a message marked as a test through the channel, by the way
 * of every message. It counts nowhere, so it goes also when the quota is used up.
 */
export function testChannel({ db, newId, enqueue }: AdminDeps): AdminOperation {
  const check = createPayloadCheck();
  return withBody<TestBody>({
    method: 'POST',
    path: '/admin/v1/channels/:channelId/test',
    body: 'optional',
    schema: TEST_BODY_SCHEMA,
    run: async (request): Promise<Reply> => {
      const channelId = idOf(request, 'chn', 'channelId');
      const attempt = toTry(request.body);
      const target = channelId && (await readTestTarget(db, { channelId, eventKey: attempt.eventKey }));
      if (!target) return refuse('channel_not_found');
      const faults = faultsOf(target, attempt, check);
      if (faults.length > 0) return invalid(faults);
      const { templateVersionId, channel } = target;
      const send = { ...attempt, channelId: channel.id, templateVersionId };
      const sent = await acceptTestSend({ db, newId, actor: request.actor }, send);
      switch (sent.outcome) {
        case 'accepted':
          // As for an event: the rows are the outbox, and nobody waits for the queue.
          void enqueue(sent.enqueue);
          return { status: 201, body: acceptedBody(sent.accepted) };
        case 'not_found':
          return refuse('channel_not_found');
        case 'kind_not_in_plan':
          return refuse('conflict', {
            message: 'The plan of the tenant does not include channels of this kind.',
          });
        case 'too_many':
          return refuse('rate_limited', { headers: { 'Retry-After': String(sent.retryAfterSeconds) } });
      }
    },
  });
}
