import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import {
  acceptTestSend,
  readTestTarget,
  rotateChannelSecret,
  rotateFeedbackToken,
  switchChannel,
  type TestTarget,
  withState,
} from '@postrider/db';
import {
  DEFAULT_FAILURE_POLICY,
  DEFAULT_RETRY_POLICY,
  type Detail,
  formatId,
  invalid,
  invalidValue,
  isOperationalEventType,
  type JsonObject,
  matchesEvent,
  presentChannel,
  reject,
  TEST_EVENT_KEY,
  TEST_PAYLOAD,
} from '@postrider/domain';
import { acceptedBody } from '../../events/create-event.ts';
import { MEMORY } from '../../http/memory.ts';
import { ACCEPTED_EXAMPLE, EXAMPLE_IDS } from '../../openapi/examples.ts';
import { creates, returns } from '../../openapi/operation.ts';
import { createPayloadCheck, type FindPayloadIssues } from '../../validation/payload-schemas.ts';
import { adminOperation } from '../operation.ts';
import { CHANNEL_PATH, ROTATE_SECRET_BODY_SCHEMA, TEST_BODY_SCHEMA, type TestBody } from './schema.ts';

export const CHANNEL_EXAMPLE = {
  kind: 'webhook',
  name: 'warehouse',
  enabled: true,
  event_keys: ['order.*'],
  config: channelKinds.get('webhook').config.present({
    url: 'https://warehouse.example.com/hooks',
    headers: { 'X-Shop': 'eu' },
    timeout_ms: 10_000,
  }),
  retry: DEFAULT_RETRY_POLICY,
  failure_policy: DEFAULT_FAILURE_POLICY,
  state: {
    code: 'working',
    last_reply: {
      at: '2026-11-21T09:58:24.000Z',
      outcome: 'succeeded',
      status_code: 204,
    },
    success_rate: 0.98,
    hours: [{ start: '2026-11-21T09:00:00.000Z', succeeded: 49, failed: 1 }],
  },
  health: { last_success_at: '2026-11-21T09:58:20.000Z' },
};

export const SECRET_EXAMPLE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const DEFAULT_OVERLAP_SECONDS = ROTATE_SECRET_BODY_SCHEMA.properties.overlap_seconds.default;

/** Only this response contains the new secret. */
export const rotateSecret = adminOperation({
  path: `${CHANNEL_PATH}/rotate-secret`,
  operationId: 'rotateChannelSecret',
  forTokens: 'changes',
  forConsumers: true,
  scope: 'channels:write',
  summary: 'Rotate the signing secret of a webhook',
  description:
    'Only this response contains the new secret. During the overlap every request has a ' +
    'signature with each secret, so that receivers can switch at any time; then the old secret ' +
    'is erased. During an overlap another rotation is refused, unless its `overlap_seconds` is ' +
    '0: that ends both old secrets at once, for example after a leak. A given `signature.secret` is ' +
    'not rotated, and a rotation is refused if nothing else signs.',
  body: {
    use: 'optional',
    schema: ROTATE_SECRET_BODY_SCHEMA,
    examples: {
      day: { summary: 'With a day to switch', value: {} },
      atOnce: { summary: 'At once', value: { overlap_seconds: 0 } },
    },
  },
  success: returns('ChannelWithSecret', {
    ...CHANNEL_EXAMPLE,
    previous_secret_expires_at: '2026-11-22T10:00:00.000Z',
    updated_at: '2026-11-21T10:00:00.000Z',
    secret: SECRET_EXAMPLE,
  }),
  errors: ['conflict'],
  run: async (request, deps) => {
    const { overlap_seconds: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = request.body;
    const { channel, secret } = await rotateChannelSecret(deps, { ...request.ids, overlapSeconds });
    return { ...presentChannel(await withState(deps.db, channel), deps.kinds), secret };
  },
});

const FEEDBACK_TOKEN_EXAMPLE = 'fb_4yTq2mVb8RkXw1Zc9LsNf7HjGd3PaE1uQxW9';

/** Only this response contains the token. */
export const rotateFeedback = adminOperation({
  method: 'post',
  path: `${CHANNEL_PATH}/feedback-token`,
  operationId: 'rotateChannelFeedbackToken',
  forTokens: 'changes',
  scope: 'channels:write',
  summary: 'Create a new feedback token for a channel',
  description:
    'The token is a part of the address to which providers post feedback and mail servers pipe ' +
    'reports. Only this response contains it. The previous token is refused from then on.',
  success: returns('FeedbackToken', {
    channel_id: EXAMPLE_IDS.emailChannel,
    feedback_token: FEEDBACK_TOKEN_EXAMPLE,
    feedback_path: `/feedback/v1/${FEEDBACK_TOKEN_EXAMPLE}/`,
    feedback_url: `https://mail.example.com/feedback/v1/${FEEDBACK_TOKEN_EXAMPLE}/`,
    sources: ['dsn'],
  }),
  errors: ['conflict'],
  run: async (request, { db, newId, kinds, publicUrl, actor }) => {
    const { channel, token } = await rotateFeedbackToken({ db, newId, actor, kinds }, request.ids.channelId);
    const path = `/feedback/v1/${token}/`;
    return {
      channel_id: formatId('chn', channel.id),
      feedback_token: token,
      feedback_path: path,
      feedback_url: publicUrl === null ? null : `${publicUrl}${path}`,
      sources: (kinds.get(channel.kind).feedback ?? []).map(({ name }) => name),
    };
  },
});

interface Try {
  readonly eventKey: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
}

function toTry({ event_key = TEST_EVENT_KEY, recipient = {}, payload = TEST_PAYLOAD }: TestBody): Try {
  return { eventKey: event_key, recipient, payload };
}

/** The issues of a test, the same as those of an event. */
function issuesOf(
  kinds: ChannelRegistry,
  target: TestTarget,
  { recipient, payload }: Try,
  check: FindPayloadIssues,
): Detail[] {
  const { label, recipientFields } = kinds.get(target.channel.kind);
  const missing = recipientFields.filter((field) => !Object.hasOwn(recipient, field));
  return [
    ...missing.map(
      (field): Detail => ({
        path: `/recipient/${field}`,
        code: 'required',
        message: `is required by ${label}`,
      }),
    ),
    ...check(target.payloadSchema, payload),
  ];
}

/** The issue of an event key that the channel of a consumer does not get: the templates of others are the tenant's, or the operator's. */
function foreignKey({ eventKeys }: TestTarget['channel'], eventKey: string): Detail | null {
  const isOperational = isOperationalEventType(eventKey);
  if (!isOperational && (eventKey === TEST_EVENT_KEY || matchesEvent(eventKeys, eventKey))) return null;
  return invalidValue(
    '/event_key',
    isOperational
      ? 'is an operational event, which the channels of consumers do not get'
      : 'is not one that the channel takes',
  );
}

/**
 * Sends a message marked as a test through the channel, like any other message. It is not counted, so it is also sent
 * if the quota is exhausted.
 */
export const test = adminOperation({
  path: `${CHANNEL_PATH}/test`,
  operationId: 'testChannel',
  forTokens: 'delivers',
  forConsumers: true,
  scope: 'channels:write',
  summary: 'Send a test through a channel',
  description:
    'Sends a message by the usual path to this channel only, even if the channel is disabled, so that it can be ' +
    'tested before it is enabled. It is tried once, has the header `postrider-test: true` (mail: ' +
    '`X-Postrider-Test: true`), is shown with `test: true`, and is not counted. The active template of the event ' +
    'key is used; without one, a webhook sends the default body and email a fixed text. The response does not wait ' +
    'for the delivery: read the deliveries of the message. An environment can send at most 30 tests a minute and ' +
    '500 a day, and so can each consumer; all consumers of an environment together 300 and 5,000. A caller bound ' +
    'to a consumer can test only with event keys that the channel takes.',
  body: {
    use: 'optional',
    schema: TEST_BODY_SCHEMA,
    examples: {
      webhook: { summary: 'Check that the endpoint responds', value: {} },
      email: {
        summary: 'A mail with the template of an event',
        value: {
          event_key: 'order.shipped',
          recipient: { email: 'me@example.com', name: 'Me' },
          payload: { order_id: 'A-1042' },
        },
      },
    },
  },
  success: creates('Accepted', {
    ...ACCEPTED_EXAMPLE,
    delivery_runs: ACCEPTED_EXAMPLE.delivery_runs.slice(1),
  }),
  errors: ['conflict', 'rate_limited'],
  setUp: createPayloadCheck,
  run: async (request, { db, newId, enqueue, kinds }, check) => {
    const attempt = toTry(request.body);
    const target = await readTestTarget(db, { ...request.ids, eventKey: attempt.eventKey });
    if (!target) reject('channel_not_found');
    const foreign = request.consumerId === null ? null : foreignKey(target.channel, attempt.eventKey);
    const issues = foreign ? [foreign] : issuesOf(kinds, target, attempt, check);
    if (issues.length > 0) reject(invalid(issues));
    const { templateVersionId, channel } = target;
    const send = { ...attempt, channelId: channel.id, templateVersionId };
    const sent = await acceptTestSend({ db, newId, actor: request.actor }, send);
    // As for an event: the rows are the outbox, and the response does not wait for the queue.
    void enqueue(sent.wakeUps);
    return { status: 201, body: acceptedBody(sent.accepted) };
  },
});

const switchTo = (
  to: 'paused' | 'resumed',
  texts: { path: string; operationId: string; summary: string; description: string; example: object },
) =>
  adminOperation({
    method: 'post',
    path: `${CHANNEL_PATH}/${texts.path}`,
    operationId: texts.operationId,
    forTokens: 'changes',
    forConsumers: true,
    scope: 'channels:write',
    memory: MEMORY.resource,
    summary: texts.summary,
    description: texts.description,
    success: returns('ConfiguredChannel', { ...CHANNEL_EXAMPLE, ...texts.example }),
    run: async (request, deps) => {
      const switched = await switchChannel(deps, { ...request.ids, to });
      if (!switched) reject('channel_not_found');
      return presentChannel(await withState(deps.db, switched.channel), deps.kinds);
    },
  });

/** Only an operator can resume what an operator paused. */
export const pauseOperation = switchTo('paused', {
  path: 'pause',
  operationId: 'pauseChannel',
  summary: 'Pause a channel',
  description:
    'The channel still takes events, and their runs are held. There are no probes until it is resumed. Runs that ' +
    'are held for `failure_policy.max_age` seconds end as `failed` with `expired`. If it is already paused, only ' +
    'its probes stop.',
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
    'Ends the pause, even if the service started it. Held runs are sent oldest first, at a rate of 2 a second that ' +
    'doubles every 10 seconds up to `failure_policy.release_per_second`. A channel that is not paused is not ' +
    'changed.',
  example: {},
});
