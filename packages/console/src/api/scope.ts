import {
  createPostrider,
  createPostriderAdmin,
  type Deliveries,
  type EventInput,
  type MessageSearchQuery,
  type Page,
  type PostriderAdmin,
  type Usage,
} from '@postrider/client';
import { BASE_URL, CONNECTION, newUuid } from './connection.ts';
import {
  type Accepted,
  type Attention,
  type Content,
  call,
  type DeliveryRun,
  type ExplainedMessage,
  type Message,
  type Session,
  type Stats,
  type StatsQuery,
} from './contract.ts';

/** What a row of the list of messages shows; a list without payloads is small. */
export const ROW_FIELDS = [
  'id',
  'event_key',
  'status',
  'recipient',
  'test',
  'created_at',
  'schedule_at',
  'delivery_runs',
] as const;
export type MessageRow = Pick<Message, (typeof ROW_FIELDS)[number]>;

/** What both roles can do in one environment: the public interface, or the same with the operator's session. */
export interface Scope {
  readonly environmentId: string;
  readonly isOperator: boolean;
  messages(query: MessageSearchQuery, signal?: AbortSignal): Promise<Page<MessageRow>>;
  message(messageId: string): Promise<ExplainedMessage>;
  deliveries(messageId: string, cursor?: string): Promise<Deliveries>;
  replay(messageId: string, channels?: readonly string[]): Promise<Accepted>;
  cancel(runId: string): Promise<DeliveryRun>;
  content(runId: string, attempt: number): Promise<Content>;
  send(event: EventInput, idempotencyKey: string): Promise<Accepted>;
  stats(query: StatsQuery): Promise<Stats>;
  /** Null for an integrator: what needs action is the operator's. */
  attention(): Promise<Attention | null>;
  usage(): Promise<Usage | null>;
  /** The address of the stream of changes. */
  readonly streamUrl: string;
}

/** The management client of an operator's session. */
export function adminOf(session: Session): PostriderAdmin {
  return createPostriderAdmin({ ...CONNECTION, session: { csrfToken: session.csrf_token } });
}

/** The operations of an environment for whoever is signed in. */
export function scopeOf(session: Session, environmentId: string): Scope {
  return session.role === 'operator'
    ? operatorScope(session, environmentId)
    : integratorScope(session, environmentId);
}

function common(path: string) {
  return {
    content: (runId: string, attempt: number) =>
      call<Content>('GET', `${path}/delivery-runs/${runId}/content`, { query: { attempt } }),
    message: (messageId: string) =>
      call<ExplainedMessage>('GET', `${path}/messages/${messageId}`, { query: { explain: 'channels' } }),
    replay: (messageId: string, channels?: readonly string[]) =>
      call<Accepted>('POST', `${path}/messages/${messageId}/replay`, {
        body: channels ? { channels } : {},
        idempotencyKey: newUuid(),
      }),
    cancel: (runId: string) =>
      call<DeliveryRun>('POST', `${path}/delivery-runs/${runId}/cancel`, {
        body: {},
        idempotencyKey: newUuid(),
      }),
    send: (event: EventInput, idempotencyKey: string) =>
      call<Accepted>('POST', `${path}/events`, { body: event, idempotencyKey }),
    stats: (query: StatsQuery) => call<Stats>('GET', `${path}/stats`, { query }),
    streamUrl: new URL(`${path.slice(1)}/stream`, BASE_URL).href,
  };
}

function operatorScope(session: Session, environmentId: string): Scope {
  const path = `/admin/v1/environments/${environmentId}`;
  const messages = adminOf(session).messages.of(environmentId);
  const rows = messages.pick(ROW_FIELDS);
  return {
    environmentId,
    isOperator: true,
    messages: (query, signal) => rows.page(query, signal && { signal }),
    deliveries: (messageId, cursor) => messages.deliveries(messageId, { ...(cursor && { cursor }) }),
    attention: () => call<Attention>('GET', `${path}/attention`),
    usage: async () => null,
    ...common(path),
  };
}

function integratorScope(session: Session, environmentId: string): Scope {
  const client = createPostrider({ ...CONNECTION, session: { csrfToken: session.csrf_token } });
  const rows = client.messages.pick(ROW_FIELDS);
  return {
    environmentId,
    isOperator: false,
    messages: (query, signal) => rows.page(query, signal && { signal }),
    deliveries: (messageId, cursor) => client.messages.deliveries(messageId, { ...(cursor && { cursor }) }),
    attention: async () => null,
    usage: () => client.usage(),
    ...common('/api/v1'),
  };
}
