import { type Detail, type ErrorCode, isJsonObject, type JsonValue } from '@postrider/domain';
import type { Schema, Schemas } from './schema.ts';

const MESSAGE = 'msg_01kb2t5rwhffh8rkc5f0m1ek9q';
const EMAIL_RUN = 'run_01kb2t5rwhffh8rkc5f0m1ek9r';
const WEBHOOK_RUN = 'run_01kb2t5rwhffh8rkc5f0m1ek9s';
const REPLAY_RUN = 'run_01kb2tq9a8e4nvv2xrm5yc7d0p';
const TENANT = 'ten_01k9w2m0gkfs4a7t8v3n5p6r2c';

const ENVIRONMENT = 'env_01k9w2m1c4e8x7z5v3b1n9m6qd';

/** The page replaces it with a new key, see the script in router.ts. */
export const EXAMPLE_IDEMPOTENCY_KEY = '0d4cc4a5-6b0f-4a53-9a52-6a3f6d2f9b11';
export const EXAMPLE_IDS = {
  message: MESSAGE,
  scheduledRun: EMAIL_RUN,
  tenant: TENANT,
  environment: ENVIRONMENT,
  webhookChannel: 'chn_01k9w2m5qxe9sr0y7t2b4k6nhf',
  emailChannel: 'chn_01k9w2m3hvf0jbv6gqz8w1d4ea',
  template: 'tpl_01k9w2mz6ff8ft0c0v5n1r7d3q',
  layout: 'lay_01k9w2mz6ff8ft0c0v5n1r7d3r',
  partial: 'prt_01k9w2mz6ff8ft0c0v5n1r7d3s',
  translation: 'trn_01k9w2mz6ff8ft0c0v5n1r7d3t',
  token: 'tok_01k9w2m1n3fjb8d6s4h2g0x7ta',
  suppression: 'sup_01kb2w3c5nfxq8s0v7z4m2t6yb',
  erasure: 'era_01kb2w3c5nfxq8s0v7z4m2t6yb',
  replay: 'rpb_01kb2w3c5nfxq8s0v7z4m2t6ya',
  operator: 'opr_01kb2x7w5nfxq8s0v7z4m2t6yc',
  operatorToken: 'otk_01kb2t4v6xe0f9w7r5m3k1d8pc',
  consoleSession: 'ses_01kb2x7w5nfxq8s0v7z4m2t6yc',
};

/** The id of the examples with this prefix. */
export const exampleId = (prefix: string): string =>
  Object.values(EXAMPLE_IDS).find((id) => id.startsWith(`${prefix}_`)) ?? '';

/** What decides about the example of a schema. */
interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

const AT = '2026-11-21T09:00:00.000Z';

const isNullable = ({ type }: Shape) => [type].flat().includes('null');

/** The example of a value that is not given: the first choice, null, an id, a time, or nothing. */
function defaultExample(shape: Shape, path: string): unknown {
  const { type, const: only, enum: [first = only] = [], minimum = 0, format, pattern = '' } = shape;
  if (first !== undefined) return first;
  if (isNullable(shape)) return null;
  if (format === 'date-time') return AT;
  const [, prefix] = /^\^([a-z]+)_/.exec(pattern) ?? [];
  const string = prefix && exampleId(prefix);
  const byType = { boolean: false, integer: minimum, number: minimum, array: [], object: {}, string };
  const example = byType[type as keyof typeof byType];
  if (!example && type === 'string') throw new Error(`The example of a response has no ${path}.`);
  return example;
}

/**
 * Completes the example of a response: required fields that are not given get the first choice, null, an id, a time, or an empty
 * value. Throws if a text is not given.
 * @param named the schemas of `#/components/schemas`
 */
export function completeExample(schema: Schema, given: unknown, named: Schemas): unknown {
  const resolve = (shape: Shape): Shape =>
    shape.$ref === undefined ? shape : (named[shape.$ref.split('/').at(-1) ?? ''] as Shape);
  /** Whether a schema has these fields and allows their values. */
  const fits = ({ properties = {} }: Shape, value: unknown) =>
    Object.entries(value ?? {}).every(([name, field]) => {
      const known = properties[name];
      return known !== undefined && (known.enum?.includes(field) ?? true);
    });

  function complete(of: Shape, value: unknown, path: string): unknown {
    const shape = resolve(of);
    const { anyOf, oneOf = anyOf, items = {}, properties, required = [] } = shape;
    if (oneOf) {
      const branches = oneOf.map(resolve);
      if ((value ?? null) === null && branches.some(isNullable)) return null;
      return complete(branches.find((branch) => fits(branch, value)) ?? branches[0] ?? {}, value, path);
    }
    if (value === undefined && (!properties || isNullable(shape))) return defaultExample(shape, path);
    if (Array.isArray(value)) return value.map((item, index) => complete(items, item, `${path}/${index}`));
    const fields = value === undefined ? {} : (value as JsonValue);
    if (!properties || !isJsonObject(fields)) return value;
    const names = new Set([...Object.keys(properties), ...Object.keys(fields)]);
    const shown = [...names].filter((name) => fields[name] !== undefined || required.includes(name));
    return Object.fromEntries(
      shown.map((name) => [name, complete(properties[name] ?? {}, fields[name], `${path}/${name}`)]),
    );
  }

  return complete(schema as Shape, given, '');
}

/** When the event of the examples was accepted. */
export const ACCEPTED_AT = '2026-11-21T09:30:00.017Z';

const emailChannel = { id: EXAMPLE_IDS.emailChannel, kind: 'email', name: 'customer mail' };
const webhookChannel = { id: EXAMPLE_IDS.webhookChannel, kind: 'webhook', name: 'warehouse' };
export const RECIPIENT_EXAMPLE = { email: 'ada@example.com', name: 'Ada Lovelace' };
export const PAYLOAD_EXAMPLE = { order_id: 'A-1042', total: '59.90 EUR' };

export const EVENT_EXAMPLES = {
  immediate: {
    summary: 'Delivered at once',
    value: { event_key: 'order.shipped', recipient: RECIPIENT_EXAMPLE, payload: PAYLOAD_EXAMPLE },
  },
  scheduled: {
    summary: 'Delivered later',
    value: {
      event_key: 'order.shipped',
      recipient: RECIPIENT_EXAMPLE,
      payload: PAYLOAD_EXAMPLE,
      schedule_at: '2026-12-01T09:30:00+01:00',
    },
  },
};

const queued = [
  { id: EMAIL_RUN, channel: emailChannel, status: 'queued', scheduled_at: null },
  { id: WEBHOOK_RUN, channel: webhookChannel, status: 'queued', scheduled_at: null },
];

export const ACCEPTED_EXAMPLE = { message_id: MESSAGE, status: 'pending', delivery_runs: queued };

const SECOND_KEY = '6f1d9c0e-3a52-4c1b-8d0f-2f7be3a0c415';
const event = { event_key: 'order.shipped', recipient: RECIPIENT_EXAMPLE, payload: PAYLOAD_EXAMPLE };

export const BATCH_EXAMPLES = {
  each: {
    summary: 'Each event on its own',
    value: {
      events: [
        { idempotency_key: EXAMPLE_IDEMPOTENCY_KEY, event },
        { idempotency_key: SECOND_KEY, event: { ...event, recipient: { email: 'no address' } } },
      ],
    },
  },
  atomic: {
    summary: 'All or nothing',
    value: { events: [{ idempotency_key: SECOND_KEY, event }], atomic: true },
  },
};

export const BATCH_RESULTS_EXAMPLE = {
  results: [
    { status: 201, body: ACCEPTED_EXAMPLE },
    {
      status: 422,
      body: {
        error: {
          code: 'validation_failed',
          message: 'The request is not valid: see details.',
          request_id: 'checkout-7731',
          details: [
            {
              path: '/recipient/email',
              code: 'invalid_format',
              message: 'must be one bare email address, such as ada@example.com',
            },
          ],
        },
      },
    },
  ],
};

export const REPLAY_EXAMPLES = {
  everything: { summary: 'To every channel that takes the event', value: {} },
  one: { summary: 'To one channel', value: { channels: [webhookChannel.id] } },
};

export const REPLAYED_EXAMPLE = {
  message_id: MESSAGE,
  status: 'pending',
  delivery_runs: [{ id: REPLAY_RUN, channel: webhookChannel, status: 'queued' }],
  skipped_channels: [{ channel: emailChannel, reason: 'filtered', condition: '/payload/amount/$gte' }],
};

const scheduledRun = {
  id: EXAMPLE_IDS.scheduledRun,
  channel: webhookChannel,
  scheduled_at: '2026-12-24T18:00:00.000Z',
};

export const MESSAGE_CANCELLED_EXAMPLE = {
  message_id: MESSAGE,
  delivery_runs: [{ ...scheduledRun, status: 'cancelled', outcome: 'cancelled' }],
};

export const MESSAGE_RESCHEDULED_EXAMPLE = {
  message_id: MESSAGE,
  schedule_at: '2026-12-24T18:00:00.000Z',
  delivery_runs: [{ ...scheduledRun, status: 'scheduled', outcome: 'rescheduled' }],
};

const succeededAttempt = {
  id: 'att_01kb2t5t2kf7gvk0m9d4w8q1zs',
  delivery_run_id: WEBHOOK_RUN,
  number: 2,
  status: 'succeeded',
  started_at: '2026-11-21T09:30:05.402Z',
  completed_at: '2026-11-21T09:30:05.466Z',
  duration_ms: 64,
  response: { status_code: 204, body_excerpt: '' },
};

const failedAttempt = {
  ...succeededAttempt,
  id: 'att_01kb2t5rzme6b9h3c7x5n2v8fd',
  number: 1,
  status: 'failed',
  error_code: 'webhook_http_error',
  error_message: 'The endpoint responded with HTTP 500.',
  retryable: true,
  started_at: '2026-11-21T09:30:00.060Z',
  completed_at: '2026-11-21T09:30:00.131Z',
  duration_ms: 71,
  response: { status_code: 500, body_excerpt: 'warehouse is restarting' },
};

const deliveredRun = {
  id: WEBHOOK_RUN,
  message_id: MESSAGE,
  channel: webhookChannel,
  status: 'succeeded',
  attempt_count: 2,
  max_attempts: 8,
  started_at: failedAttempt.started_at,
  completed_at: succeededAttempt.completed_at,
  created_at: ACCEPTED_AT,
  last_error: { code: failedAttempt.error_code, message: failedAttempt.error_message, attempt_number: 1 },
  attempts: [failedAttempt, succeededAttempt],
};

export const DELIVERIES_EXAMPLE = {
  message_id: MESSAGE,
  delivery_runs: [deliveredRun],
};

const cancellation = { code: 'scheduled_cancelled', message: 'The run was cancelled before its time.' };
const CANCELLED_AT = '2026-11-21T10:02:11.250Z';

export const CANCELLED_EXAMPLE = {
  ...deliveredRun,
  id: EMAIL_RUN,
  channel: emailChannel,
  status: 'cancelled',
  template: { id: 'tpl_01k9w2m8z0f5d3c1b7n9v6x4qa', version: 3 },
  attempt_count: 1,
  scheduled_at: '2026-12-01T08:30:00.000Z',
  started_at: null,
  completed_at: CANCELLED_AT,
  last_error: { ...cancellation, attempt_number: 1 },
  attempts: [
    {
      ...failedAttempt,
      id: 'att_01kb2w0q5ye1r8t6m4k2h0g9ev',
      delivery_run_id: EMAIL_RUN,
      status: 'cancelled',
      error_code: cancellation.code,
      error_message: cancellation.message,
      retryable: false,
      started_at: CANCELLED_AT,
      completed_at: CANCELLED_AT,
      duration_ms: 0,
      response: null,
    },
  ],
};

export const WEBHOOK_EXAMPLE = {
  type: 'order.shipped',
  timestamp: ACCEPTED_AT,
  data: {
    message_id: MESSAGE,
    delivery_run_id: WEBHOOK_RUN,
    recipient: RECIPIENT_EXAMPLE,
    payload: PAYLOAD_EXAMPLE,
  },
};

/** Example `details` of the codes that have them. */
export const DETAIL_EXAMPLES: Partial<Record<ErrorCode, readonly Detail[]>> = {
  quota_exceeded: [
    {
      path: '',
      code: 'quota_limit',
      message: '10000 of 10000 events are used; the quota resets at 2026-12-01T00:00:00.000Z.',
      limit: 10_000,
      used: 10_000,
      resets_at: '2026-12-01T00:00:00.000Z',
    },
  ],
  delivery_run_not_cancellable: [
    { path: '', code: 'current_status', message: 'The run is succeeded.', status: 'succeeded' },
  ],
  already_exists: [{ path: '/name', code: 'duplicate', message: 'is taken' }],
  validation_failed: [
    {
      path: '/recipient/email',
      code: 'invalid_format',
      message: 'must be one bare email address, such as ada@example.com',
    },
    { path: '/shedule_at', code: 'unknown_field', message: 'is not a known field' },
  ],
};
