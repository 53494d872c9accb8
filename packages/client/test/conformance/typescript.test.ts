import {
  type BatchEvent,
  createPostrider,
  type EventInput,
  type EventResult,
  type MessageQuery,
  type Postrider,
  PostriderApiError,
  PostriderConnectionError,
  PostriderError,
  PostriderTimeoutError,
  type ReplayInput,
  verifyWebhook,
  WebhookVerificationError,
} from '@postrider/client';
import { startConformanceServer } from '@postrider/rig/conformance';
import { afterAll, describe, expect, it } from '@postrider/testing';

const server = await startConformanceServer();
afterAll(() => server.close());

async function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await fetch(`${server.url}/conformance/${path}`, init)).json() as Promise<Answer>;
}

/** The arguments of any call: a case gives those that its calls have. */
interface Given {
  readonly event: EventInput;
  readonly events: readonly BatchEvent[];
  readonly atomic: boolean;
  readonly idempotency_key: string;
  readonly request_id: string;
  readonly message_id: string;
  readonly delivery_run_id: string;
  readonly input: ReplayInput;
  readonly query: MessageQuery;
  readonly take: number;
  readonly last_event_id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly keys: readonly string[];
}

interface Run {
  readonly token: string;
  readonly options: Readonly<Record<string, number>>;
  readonly calls: readonly ({ readonly call: string } & Given)[];
}

function kindOf(error: unknown): string {
  if (error instanceof PostriderApiError) return 'api';
  if (error instanceof PostriderTimeoutError) return 'timeout';
  if (error instanceof PostriderConnectionError) return 'connection';
  if (error instanceof WebhookVerificationError) return 'verification';
  if (error instanceof TypeError) return 'argument';
  throw error;
}

function describeError(error: unknown) {
  const kind = kindOf(error);
  if (!(error instanceof PostriderError)) return { kind };
  const { idempotencyKey: idempotency_key, message } = error;
  if (!(error instanceof PostriderApiError)) return { kind, idempotency_key, message };
  const { status, code, details, requestId, traceId, retryAfterMs } = error;
  return {
    ...{ kind, idempotency_key, message, status, code, details },
    ...{ request_id: requestId, trace_id: traceId, retry_after_ms: retryAfterMs },
  };
}

async function collect<Item>(items: AsyncIterable<Item>, take = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) if (found.push(item) === take) break;
  return found;
}

const batchResult = ({ idempotencyKey: idempotency_key, replayed, accepted, error }: EventResult) => ({
  ...{ idempotency_key, replayed },
  ...(error ? { error: describeError(error) } : { accepted }),
});

/** How each call of the cases is made with this client. */
const CALLS: Readonly<Record<string, (client: Postrider, given: Given) => unknown>> = {
  send: ({ events }, { event, idempotency_key, request_id }) =>
    events.send(event, options({ idempotencyKey: idempotency_key, requestId: request_id })),
  send_batch: async ({ events }, { events: given, atomic }) => {
    const batch = given.map(({ event }) => ({ event }));
    return (await events.sendBatch(batch, options({ atomic }))).map(batchResult);
  },
  replay: ({ messages }, { message_id, input, idempotency_key }) =>
    messages.replay(message_id, input, options({ idempotencyKey: idempotency_key })),
  cancel_run: ({ deliveryRuns }, { delivery_run_id, idempotency_key }) =>
    deliveryRuns.cancel(delivery_run_id, options({ idempotencyKey: idempotency_key })),
  get: ({ messages }, { message_id }) => messages.get(message_id),
  limits: (client) => client.limits(),
  list: ({ messages }, { query, take }) => collect(messages.all(query), take),
  runs: ({ messages }, { message_id }) => collect(messages.runs(message_id)),
  stream: async (client, { last_event_id, take }) => {
    const stream = await client.stream(options({ lastEventId: last_event_id }));
    const events = await collect(stream, take);
    return events.map(({ event, data, lastEventId }) => ({ event, data, last_event_id: lastEventId }));
  },
  verify: (_, { body, headers, keys }) => verifyWebhook({ body, headers }, keys),
};

/** Without those that a case does not give. */
const options = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

async function perform({ token, options, calls }: Run): Promise<unknown[]> {
  const client = createPostrider({
    baseUrl: server.url,
    token,
    timeoutMs: options.timeout_ms as number,
    retry: {
      maxAttempts: options.max_attempts as number,
      baseDelayMs: options.base_delay_ms as number,
      maxDelayMs: options.max_delay_ms as number,
      maxRetryAfterMs: options.max_retry_after_ms as number,
    },
  });
  const outcomes: unknown[] = [];
  for (const { call, ...given } of calls) {
    try {
      outcomes.push({ result: await CALLS[call]?.(client, given) });
    } catch (error) {
      outcomes.push({ error: describeError(error) });
    }
  }
  return outcomes;
}

const { cases } = await ask<{ cases: string[] }>('cases');

describe('the TypeScript client', () => {
  it.each(cases)('%s', async (name) => {
    const run = await ask<Run>('runs', { case: name });
    const outcomes = await perform(run);
    expect(await ask('outcomes', { token: run.token, outcomes })).toEqual({ problems: [] });
  });
});
