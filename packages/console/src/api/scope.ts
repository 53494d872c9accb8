import {
  type Accepted,
  type CancelledMessage,
  createPostrider,
  createPostriderAdmin,
  type Deliveries,
  type EventInput,
  type MessageSearchQuery,
  type Page,
  type PostriderAdmin,
  type RescheduledMessage,
  type Usage,
} from '@postrider/client';
import { BASE_URL, CONNECTION } from './connection.ts';
import type {
  Attention,
  Content,
  DeliveryRun,
  ExplainedMessage,
  Message,
  Replayed,
  Session,
  Stats,
  StatsQuery,
} from './contract.ts';
import { path } from './path.ts';

/** The fields of a row in the list of messages. Without payloads a list is small. */
const ROW_FIELDS = [
  'id',
  'event_key',
  'status',
  'recipient',
  'test',
  'created_at',
  'schedule_at',
  'erased_at',
  'delivery_runs',
] as const;
export type MessageRow = Pick<Message, (typeof ROW_FIELDS)[number]>;

/** Operations in one environment that both roles have: the public API, or the same as an operator. */
export interface Scope {
  readonly environmentId: string;
  readonly isOperator: boolean;
  messages(query: MessageSearchQuery, signal?: AbortSignal): Promise<Page<MessageRow>>;
  message(messageId: string): Promise<ExplainedMessage>;
  deliveries(messageId: string, cursor?: string): Promise<Deliveries>;
  replay(messageId: string, channels?: readonly string[]): Promise<Replayed>;
  cancel(runId: string): Promise<DeliveryRun>;
  /** Gives all `scheduled` runs another time. */
  reschedule(messageId: string, at: string): Promise<RescheduledMessage>;
  /** Cancels all `scheduled` runs. */
  cancelMessage(messageId: string): Promise<CancelledMessage>;
  content(runId: string, attempt: number): Promise<Content>;
  send(event: EventInput, idempotencyKey: string): Promise<Accepted>;
  stats(query: StatsQuery): Promise<Stats>;
  /** Null for an integrator, because only operators get this report. */
  attention(): Promise<Attention | null>;
  usage(): Promise<Usage | null>;
  /** The URL of the stream of changes. */
  readonly streamUrl: string;
}

/** Adds which channels took the event, and why the others did not. */
const EXPLAIN = { explain: 'channels' } as const;

/** The management API client of an operator's session. */
export function adminOf(session: Session): PostriderAdmin {
  return createPostriderAdmin({ ...CONNECTION, session: { csrfToken: session.csrf_token } });
}

export const HOUR_MS = 3_600_000;

/** A query for the last 24 hours, rounded to hours. */
export function lastDay() {
  const to = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  return {
    from: new Date(to - 24 * HOUR_MS).toISOString(),
    to: new Date(to).toISOString(),
    interval: 'hour' as const,
  };
}

/** The operations of an environment for the current session. */
export function scopeOf(session: Session, environmentId: string): Scope {
  return session.role === 'operator'
    ? operatorScope(session, environmentId)
    : integratorScope(session, environmentId);
}

/** Calls that the client does not have yet. */
function common(base: string) {
  return {
    streamUrl: new URL(`${base.slice(1)}/stream`, BASE_URL).href,
  };
}

function operatorScope(session: Session, environmentId: string): Scope {
  const admin = adminOf(session);
  const messages = admin.messages.of(environmentId);
  const deliveryRuns = admin.deliveryRuns.of(environmentId);
  const rows = messages.pick(ROW_FIELDS);
  return {
    environmentId,
    isOperator: true,
    messages: (query, signal) => rows.page(query, signal && { signal }),
    message: (messageId) => messages.get(messageId, EXPLAIN),
    deliveries: (messageId, cursor) => messages.deliveries(messageId, { ...(cursor && { cursor }) }),
    replay: (messageId, channels) => messages.replay(messageId, channels ? { channels: [...channels] } : {}),
    cancel: (runId) => deliveryRuns.cancel(runId),
    reschedule: (messageId, at) => messages.reschedule(messageId, at),
    cancelMessage: (messageId) => messages.cancel(messageId),
    send: (event, idempotencyKey) => admin.events.of(environmentId).send(event, { idempotencyKey }),
    content: (runId, attempt) => deliveryRuns.content(runId, { attempt }) as Promise<Content>,
    stats: (query) => admin.environments.stats(environmentId, query),
    attention: () => admin.attention.get(environmentId),
    usage: async () => null,
    ...common(path`/admin/v1/environments/${environmentId}`),
  };
}

function integratorScope(session: Session, environmentId: string): Scope {
  const client = createPostrider({ ...CONNECTION, session: { csrfToken: session.csrf_token } });
  const rows = client.messages.pick(ROW_FIELDS);
  return {
    environmentId,
    isOperator: false,
    messages: (query, signal) => rows.page(query, signal && { signal }),
    message: (messageId) => client.messages.get(messageId, EXPLAIN),
    deliveries: (messageId, cursor) => client.messages.deliveries(messageId, { ...(cursor && { cursor }) }),
    replay: (messageId, channels) =>
      client.messages.replay(messageId, channels ? { channels: [...channels] } : {}),
    cancel: (runId) => client.deliveryRuns.cancel(runId),
    reschedule: (messageId, at) => client.messages.reschedule(messageId, at),
    cancelMessage: (messageId) => client.messages.cancel(messageId),
    send: (event, idempotencyKey) => client.events.send(event, { idempotencyKey }),
    attention: async () => null,
    content: (runId, attempt) => client.deliveryRuns.content(runId, { attempt }) as Promise<Content>,
    stats: (query) => client.stats(query),
    usage: () => client.usage(),
    ...common('/api/v1'),
  };
}
