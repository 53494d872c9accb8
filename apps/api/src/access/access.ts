import type { Actor, Bounds, LargeMessageField, MessageRecord, OperatorSnapshot } from '@postrider/db';
import { ALL_SCOPES, type Scope, tokenScopes, withReads } from '@postrider/domain';
import { type Refusal, type Reply, refuse } from '../http/reply.ts';

/** The sender of a request and what it may do, whether it has a token or a session. */
export interface Access {
  /** With the `read` of each area. Also the rights of tokens that no operation needs, such as `ignore_suppression`. */
  readonly scopes: ReadonlySet<string>;
  /** Null for a caller that is not bound. The token of an environment has no other bound: the pipeline has only that one. */
  readonly bounds: Bounds | null;
  /** Null for the token of an environment. */
  readonly actor: Actor | null;
  /** The consumer that the caller is bound to, which sees nothing of another; null for all other callers. */
  readonly consumerId: string | null;
  /** The UUID of the session in the console; null without one. */
  readonly sessionId: string | null;
  /** Whose share of memory and connections the request uses, such as the UUID of a token. */
  readonly callerId: string;
}

/**
 * Whose share of memory and turns a caller of a consumer uses. All consumers of a tenant together have one, apart from the
 * tenant's, so that they cannot keep its events out; each is a part of it, whatever tokens it has.
 */
export const shareOfConsumer = (tenantId: string, environmentId: string, consumerId: string) => ({
  owner: `consumers ${tenantId}`,
  part: `${environmentId} ${consumerId}`,
});

/** The access of a caller of the management API. */
export type OperatorAccess = Access & { readonly actor: Actor };

const EVERYTHING = withReads([...ALL_SCOPES, 'ignore_suppression']);

/** Access with ADMIN_TOKEN, or in a session that it opened. */
export function accessOfAdminToken(actor: Actor, sessionId: string | null): OperatorAccess {
  return {
    scopes: EVERYTHING,
    bounds: null,
    actor,
    consumerId: null,
    sessionId,
    callerId: sessionId ?? 'admin',
  };
}

/**
 * Access of an operator, or with the token of one or of a machine. Who may change the list of suppressed addresses may also
 * send to them.
 */
export function accessOfOperator(
  actor: Actor,
  { id, scopes, bounds }: Pick<OperatorSnapshot, 'id' | 'scopes' | 'bounds'>,
  sessionId: string | null,
): OperatorAccess {
  const all = scopes.has('suppressions:write') ? new Set([...scopes, 'ignore_suppression']) : scopes;
  return { scopes: all, bounds, actor, consumerId: null, sessionId, callerId: id };
}

/** Access with the token of an environment or of a consumer. `scopes` are those of its snapshot. */
export function accessOfToken(
  id: string,
  scopes: ReadonlySet<string>,
  consumerId: string | null = null,
): Access {
  return { scopes, bounds: null, actor: null, consumerId, sessionId: null, callerId: id };
}

/** Access in the session of an integrator: that of the token, without rights that pages do not need. */
export function accessOfIntegrator(tokenId: string, stored: readonly string[], sessionId: string): Access {
  const scopes = tokenScopes(stored).filter((scope) => scope.includes(':'));
  return { ...accessOfToken(tokenId, withReads(scopes)), sessionId };
}

/** The refusal of a caller without this scope (RFC 6750 section 3.1), or null. */
export function refuseWithoutScope({ scopes }: Pick<Access, 'scopes'>, needed: Scope): Refusal | null {
  return scopes.has(needed) ? null : (REFUSALS.get(needed) ?? refuse('forbidden'));
}

/** The refusal of a caller of one consumer, for an operation that is not for consumers; null for all others. */
export const refuseConsumer = (
  { consumerId }: Pick<Access, 'consumerId'>,
  isForConsumers: boolean,
): Refusal | null => (consumerId === null || isForConsumers ? null : NOT_FOR_CONSUMERS);

const NOT_FOR_CONSUMERS = refuse('forbidden', {
  message: 'Tokens of a consumer and sessions of its portal cannot call this.',
});

const REFUSALS: ReadonlyMap<Scope, Refusal> = new Map(
  ALL_SCOPES.map((scope) => [
    scope,
    refuse('forbidden', {
      message: `This needs the scope ${scope}.`,
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    }),
  ]),
);

/** Operations that show messages or their recipients have one of these scopes. Responses to events show neither. */
const ABOUT_RECIPIENTS: ReadonlySet<Scope> = new Set<Scope>([
  'messages:read',
  'consumers:read',
  'consumers:write',
  'replays:write',
  'deliveries:cancel',
  'suppressions:read',
  'suppressions:write',
  'erasures:read',
  'erasures:write',
]);

/** Fields that operations with these scopes show as they are: what callers configure and send back, or who made a change. */
const SHOWN: Partial<Record<Scope, ReadonlySet<string>>> = {
  'channels:read': new Set(['name', 'config', 'filter', 'operational_email']),
  'channels:write': new Set(['name', 'config', 'filter', 'operational_email']),
  'audit:read': new Set(['actor']),
};

/** An address in a text, such as an error of a mail server. */
const ADDRESS = /([^\s@<>"'(),:;]{1,64})@([^\s@<>"'(),:;]{1,255})/g;

const maskWord = (word: string) => `${[...word][0] ?? ''}•••`;

/** `ada@mail.example.com` as `a•••@m•••.com`; other words by their first character. */
export function maskText(text: string): string {
  return text
    .split(' ')
    .map((word) => {
      const [local = '', domain] = word.split('@', 2);
      if (domain === undefined) return word === '' ? '' : maskWord(word);
      const end = domain.lastIndexOf('.');
      return `${maskWord(local)}@${maskWord(domain)}${end > 0 ? domain.slice(end) : ''}`;
    })
    .join(' ');
}

const maskValue = (value: unknown) => (typeof value === 'string' ? maskText(value) : value);

/** A recipient as far as it is described: other fields are the caller's own, and say anything in their names and values. */
function maskRecipient(recipient: object): object {
  const { email, name } = recipient as Readonly<Record<string, unknown>>;
  return {
    ...(typeof email === 'string' && { email: maskText(email) }),
    ...(typeof name === 'string' && { name: maskText(name) }),
  };
}

interface Sight {
  /** The fields that are shown as they are. */
  readonly shown: ReadonlySet<string> | undefined;
  /** Whether the caller may find messages: the last reply of a channel names one. */
  readonly seesMessages: boolean;
}

/** Hides content by the names of fields, and every address elsewhere, except in the fields that are shown. */
function hide(value: unknown, name: string, { shown, seesMessages }: Sight): unknown {
  if (shown?.has(name)) return value;
  switch (name) {
    case 'last_reply':
      if (!seesMessages) return null;
      break;
    case 'payload':
      return {};
    case 'body_excerpt':
      return null;
    case 'ordering_key':
    case 'recipient_sha256':
      return maskValue(value);
  }
  if (typeof value === 'string') return value.replaceAll(ADDRESS, maskText);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hide(item, '', { shown, seesMessages }));
  if (name === 'recipient') return maskRecipient(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, hide(part, key, { shown, seesMessages })]),
  );
}

export const seesContent = ({ scopes }: Pick<Access, 'scopes'>) => scopes.has('messages:content');

/** The large fields of messages that are not read for this caller: parsing them to hide them would take the thread. */
export const hiddenFrom = (access: Pick<Access, 'scopes'>): readonly LargeMessageField[] =>
  seesContent(access) ? [] : ['payload'];

/** A larger recipient is not shown to a caller without content, because parsing it to mask it takes time. */
const MAX_MASKED_CHARACTERS = 4_096;

/** The message, without a recipient that is too large to be masked. */
export const withSmallRecipient = (access: Pick<Access, 'scopes'>, message: MessageRecord): MessageRecord =>
  seesContent(access) || message.recipient.length <= MAX_MASKED_CHARACTERS
    ? message
    : { ...message, recipient: '{}' };

/**
 * The reply for a caller that may not see content: without payloads and excerpts of responses, and with recipients, ordering
 * keys and all addresses masked; without `messages:read` also without the last reply of a channel. It works on what the operation presents, so that no presenter can forget it.
 */
export function withoutContent(access: Pick<Access, 'scopes'>, scope: Scope, reply: Reply): Reply {
  const shown = SHOWN[scope];
  if (seesContent(access) || !(shown || ABOUT_RECIPIENTS.has(scope))) return reply;
  if ('refused' in reply || reply.follow || reply.body.byteLength === 0) return reply;
  const seesMessages = access.scopes.has('messages:read');
  const body = hide(JSON.parse(Buffer.from(reply.body).toString('utf8')), '', { shown, seesMessages });
  return { ...reply, body: Buffer.from(JSON.stringify(body), 'utf8') };
}

/**
 * The refusal of a search by content, such as an address, for a caller that may not see content: whether there are results
 * would confirm a guess. Null if the search is not by content, or the caller sees it.
 */
export const refuseSearch = (access: Pick<Access, 'scopes'>, byContent: boolean): Refusal | null =>
  byContent ? refuseWithoutScope(access, 'messages:content') : null;
