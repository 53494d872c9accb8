import { isWithin, touchListener } from '@postrider/db';
import {
  type ChannelRecord,
  conflict,
  invalidValue,
  LISTENER_ANSWER_LIMITS,
  type ListenerAnswer,
  MAX_IN_FLIGHT_OF_LISTENER,
  reject,
} from '@postrider/domain';
import type { RelayedDelivery } from '@postrider/queue';
import { holderOf } from '../../access/access.ts';
import { returns } from '../../openapi/operation.ts';
import * as json from '../../openapi/schema.ts';
import { compileBody, withRules } from '../../validation/body.ts';
import { type AdminDeps, adminOperation } from '../operation.ts';
import { CHANNEL, CHANNEL_PATH } from './schema.ts';

const MAX_WAIT_SECONDS = 20;

const EXAMPLE_ID = '3b241101-e2bb-4255-8caf-4136c566a962';

export const LISTEN_SCHEMAS: json.Schemas = {
  NextDelivery: json.record('The next delivery of a channel, for its listener.', {
    delivery: json.nullable(
      json.titled(
        'Delivery to post',
        json.record('A request to post on your machine.', {
          id: json.text('Identifies this delivery when you report the response.'),
          headers: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Its headers, with the signature.',
          },
          body: json.text('The body.'),
          timeout_ms: json.count('A later response is refused.'),
        }),
      ),
    ),
  }),
};

const WAIT_SCHEMA = json.closedObject([], {
  wait_seconds: json.wholeNumber(0, MAX_WAIT_SECONDS, MAX_WAIT_SECONDS, 'How long to wait for a delivery.'),
});

const ANSWER_SCHEMA = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  description: 'Either the response, with `status`, or `error`.',
  properties: {
    id: { type: 'string', minLength: 36, maxLength: 36, description: '`id` of the delivery.' },
    status: { type: 'integer', minimum: 200, maximum: 599, description: 'The status of the response.' },
    headers: {
      type: 'object',
      maxProperties: LISTENER_ANSWER_LIMITS.headers,
      additionalProperties: { type: 'string', maxLength: LISTENER_ANSWER_LIMITS.headerLength },
      description: 'Its headers, with names in lower case.',
    },
    body: {
      type: 'string',
      maxLength: LISTENER_ANSWER_LIMITS.bodyLength,
      description: 'The beginning of its body.',
    },
    error: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'The code of the error, such as `ECONNREFUSED`, if there was no response.',
    },
    connected: json.option(false, 'Whether the receiver may have received the request anyway.'),
  },
} as const;

type AnswerBody = json.BodyOf<typeof ANSWER_SCHEMA>;

const toAnswer = ({
  status,
  headers = {},
  body = '',
  error,
  connected = false,
}: AnswerBody): ListenerAnswer =>
  status === undefined ? { error: error ?? 'unknown error', connected } : { status, headers, body };

/** Rejects a channel whose deliveries are not for a listener. */
function requireListener({ kinds }: AdminDeps, { kind, config }: ChannelRecord): void {
  if (!kinds.find(kind)?.isListener?.(config)) reject(conflict('Its URL does not begin with listen://.'));
}

const presentDelivery = (delivery: RelayedDelivery | null) => ({ delivery });

const listen = adminOperation({
  path: `${CHANNEL_PATH}/listen`,
  operationId: 'listenToChannel',
  forTokens: 'reads',
  scope: 'channels:write',
  // A request that waits holds nothing, and its response is written at once: the number of them is bounded instead.
  summary: 'Take the next delivery',
  description:
    'For `postrider listen`: waits for a delivery of a channel whose URL begins with `listen://`, and returns it, ' +
    'or null. Post it to a local server, and report the response with `answerDelivery`. Without a response in ' +
    'time, the attempt fails or its outcome is unknown, and it is retried. While nobody is listening, attempts ' +
    `fail at once; after five minutes the channel is deleted. At most ${MAX_IN_FLIGHT_OF_LISTENER} deliveries are ` +
    'open at a time.',
  body: {
    use: 'optional',
    schema: WAIT_SCHEMA,
    examples: { now: { summary: 'Without waiting', value: { wait_seconds: 0 } } },
  },
  success: returns('NextDelivery', {
    delivery: {
      id: EXAMPLE_ID,
      headers: { 'content-type': 'application/json', 'webhook-id': 'run_01m80em8mqekasjx4t4sr4kny1' },
      body: '{"order_id":"A-1001"}',
      timeout_ms: 15_000,
    },
  }),
  errors: ['conflict', 'service_unavailable'],
  of: CHANNEL,
  run: async (request, deps) => {
    requireListener(deps, request.found);
    const { id: channelId, environmentId } = request.found;
    await touchListener(deps.db, channelId);
    const holder = await holderOf(deps.db, environmentId);
    const follow = deps.listeners.open({
      channelId,
      holder,
      waitMs: (request.body.wait_seconds ?? MAX_WAIT_SECONDS) * 1_000,
      present: presentDelivery,
      findCaller: async () => {
        const { bounds } = await request.findCaller();
        // The bounds may have been narrowed since the request began to wait.
        if (bounds && !isWithin(bounds, { tenantId: holder.owner, environmentId }))
          reject('channel_not_found');
      },
    });
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    return { status: 200, body: new Uint8Array(), headers, follow };
  },
});

const answer = adminOperation({
  path: `${CHANNEL_PATH}/listen/answer`,
  operationId: 'answerDelivery',
  forTokens: 'reads',
  scope: 'channels:write',
  summary: 'Report the response to a delivery',
  description:
    'Records the response of your receiver as that of the attempt. 409 if it comes too late, or if one was ' +
    'reported before.',
  body: {
    schema: ANSWER_SCHEMA,
    validate: withRules(compileBody<AnswerBody>(ANSWER_SCHEMA), [
      {
        reads: ['/status', '/error'],
        issuesOf: ({ status, error }) =>
          (status === undefined) === (error === undefined)
            ? [invalidValue('/status', 'is required unless there is error')]
            : [],
      },
    ]),
    examples: {
      taken: { summary: 'The receiver took it', value: { id: EXAMPLE_ID, status: 204 } },
      away: { summary: 'Nothing listens on the port', value: { id: EXAMPLE_ID, error: 'ECONNREFUSED' } },
    },
  },
  success: { status: 204 },
  errors: ['conflict'],
  of: CHANNEL,
  run: async (request, deps) => {
    const { body, found } = request;
    requireListener(deps, found);
    const isTaken = await deps.listeners.answer(found.id, body.id, toAnswer(body));
    if (!isTaken) reject(conflict('Nobody is waiting for this response any more.'));
  },
});

/** How `postrider listen` gets the deliveries of its channel. */
export const LISTEN_OPERATIONS = [listen, answer];
