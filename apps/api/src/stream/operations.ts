import { MEMORY } from '../http/memory.ts';
import { headerOf } from '../http/request.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import * as json from '../openapi/schema.ts';
import { type PublicResource, publicOperation, READ } from '../pipeline/operation.ts';
import { GREETING, STREAM_EVENTS } from './format.ts';

const CONTENT_TYPE = 'text/event-stream';

const STREAM_SCHEMAS: json.Schemas = {
  StreamEvent: json.record(
    `The \`data\` of an event. Its name (\`event\`) is one of ${STREAM_EVENTS.join(', ')}; \`reset\` has no fields.`,
    {
      message_id: json.id('msg', 'The message.'),
      delivery_run_id: json.id('run', 'For all events except `message.accepted`.'),
      channel_id: json.id('chn', 'For all events except `message.accepted`.'),
      attempt: json.count('The number of the attempt, for `attempt.finished`.'),
      status: json.text('The current status of the run or attempt.'),
      feedback: json.text('The type of the feedback, for `delivery_run.feedback`.'),
      at: json.time(
        'When it happened; for feedback, when it was received; for `heartbeat`, up to when all was read.',
      ),
    },
  ),
};

const EVENT_EXAMPLE = {
  message_id: EXAMPLE_IDS.message,
  delivery_run_id: EXAMPLE_IDS.scheduledRun,
  channel_id: EXAMPLE_IDS.webhookChannel,
  attempt: 1,
  status: 'succeeded',
  feedback: 'delivered',
  at: '2026-11-21T09:00:00.000Z',
};

const stream = publicOperation({
  method: 'get',
  path: '/api/v1/stream',
  operationId: 'stream',
  asOperator: 'streamEnvironment',
  scope: 'messages:read',
  memory: MEMORY.small,
  summary: 'Follow changes',
  description:
    'Server-sent events with ids and statuses of messages, runs, attempts and feedback, about a second after the ' +
    'commit. They are hints: read the details that you need. It covers the newest 500 messages and 1,000 runs. ' +
    '`reset` means that some changes were not reported: read the lists again. A `heartbeat` comes at once and then ' +
    'at least every 15 s; the stream has read all changes up to its `at`. A stream ends after 75 s or sooner; ' +
    'reconnect with the last `id` as `Last-Event-ID` (an `EventSource` does) to miss nothing. 503 if too many ' +
    'streams are open: poll the lists instead.',
  traits: READ,
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The last received `id`. The stream continues after it.',
      schema: { type: 'string' },
    },
  ],
  success: {
    status: 200,
    contentType: CONTENT_TYPE,
    schema: json.ref('StreamEvent'),
    example: EVENT_EXAMPLE,
  },
  run:
    ({ streams }) =>
    async ({ http, snapshot, callerId, actor, findCaller }) => {
      const follow = streams.open({
        environmentId: snapshot.environment.id,
        tenantId: actor ? null : snapshot.tenant.id,
        callerId,
        lastEventId: headerOf(http, 'last-event-id'),
        findCaller,
      });
      // Tells proxies not to buffer events.
      const headers = { 'Content-Type': CONTENT_TYPE, 'X-Accel-Buffering': 'no' };
      return { status: 200, body: Buffer.from(GREETING), headers, follow };
    },
});

export const STREAM: PublicResource = {
  tag: { name: 'Stream', description: 'Live changes of an environment.' },
  schemas: STREAM_SCHEMAS,
  operations: [stream],
};
