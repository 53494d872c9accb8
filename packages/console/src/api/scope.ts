import {
  createPostrider,
  createPostriderAdmin,
  type Message,
  type MessageSearchQuery,
  type Page,
  type PostriderAdmin,
  type QueryOf,
  type StreamOptions,
  type Usage,
} from '@postrider/client';
import { useMemo } from 'react';
import { CONNECTION } from './connection.ts';
import type { Attention, Session } from './contract.ts';
import { useSession } from './session.ts';

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
export type Scope = ReturnType<typeof operatorScope>;

/** Adds which channels took the event, and why the others did not. */
const EXPLAIN = { explain: 'channels' } as const;

export type Found = Awaited<ReturnType<PostriderAdmin['lookup']['find']>>;

/** The management API client of an operator's session. */
function adminOf(session: Session): PostriderAdmin {
  return createPostriderAdmin({ ...CONNECTION, session: { csrfToken: session.csrf_token } });
}

const publicOf = (session: Session) =>
  createPostrider({ ...CONNECTION, session: { csrfToken: session.csrf_token } });

/**
 * Looks up a text: for an operator in all environments that they see, and if nothing is found by its end in `environmentId`; for
 * others in their environment.
 */
export async function lookUp(session: Session, q: string, environmentId: string | undefined): Promise<Found> {
  if (session.role === 'integrator') return publicOf(session).lookup.search({ q });
  const { lookup } = adminOf(session);
  const found = await lookup.find({ q });
  const isEmpty = found.results.length + found.resources.length === 0;
  // The end of an id can only be looked for in one environment.
  return isEmpty && environmentId ? lookup.search(environmentId, { q }) : found;
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

function operatorScope(session: Session, environmentId: string) {
  const admin = adminOf(session);
  return {
    isOperator: true as boolean,
    ...callsOf(admin.messages.of(environmentId), admin.deliveryRuns.of(environmentId)),
    events: admin.events.of(environmentId),
    stats: (query: QueryOf<'getStats'>) => admin.environments.stats(environmentId, query),
    /** Null for an integrator, because only operators get this report. */
    attention: (): Promise<Attention | null> => admin.attention.get(environmentId),
    /** Null for an operator, who reads that of tenants. */
    usage: async (): Promise<Usage | null> => null,
    /** Follows the changes of the environment. */
    stream: (options: StreamOptions) => admin.environments.stream(environmentId, options),
  };
}

function integratorScope(session: Session): Scope {
  const { messages, deliveryRuns, ...client } = publicOf(session);
  return { isOperator: false, ...client, ...callsOf(messages, deliveryRuns), attention: async () => null };
}

type Client = ReturnType<typeof createPostrider>;

/** The calls that are the same for both roles. */
function callsOf(
  messages: Omit<Client['messages'], 'list' | 'page' | 'all'>,
  deliveryRuns: Pick<Client['deliveryRuns'], 'cancel' | 'content'>,
) {
  const rows = messages.pick(ROW_FIELDS);
  return {
    /** A page of rows. */
    rows: (query: MessageSearchQuery, call?: { readonly signal: AbortSignal }): Promise<Page<MessageRow>> =>
      rows.page(query, call),
    message: (messageId: string) => messages.get(messageId, EXPLAIN),
    messages,
    deliveryRuns,
  };
}

/** The management client; for screens of operators. */
export function useAdmin() {
  const session = useSession();
  return useMemo(() => adminOf(session), [session]);
}

/** The operations in an environment. */
export function useScope(environmentId: string): Scope {
  const session = useSession();
  return useMemo(
    () => (session.role === 'operator' ? operatorScope(session, environmentId) : integratorScope(session)),
    [session, environmentId],
  );
}
