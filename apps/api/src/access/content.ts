import type { LargeMessageField, MessageRecord } from '@postrider/db';
import type { Scope } from '@postrider/domain';
import type { Reply } from '../http/reply.ts';
import { type Access, requireScope, seesContent } from './access.ts';

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

/** Fields that operations with these scopes show unchanged: what callers configure and send back, or who made a change. */
const SHOWN: Partial<Record<Scope, ReadonlySet<string>>> = {
  'channels:read': new Set(['name', 'config', 'filter', 'operational_email']),
  'channels:write': new Set(['name', 'config', 'filter', 'operational_email']),
  'audit:read': new Set(['actor']),
};

/** Whether replies of operations with this scope are masked for callers that may not see content. */
const showsContent = (scope: Scope): boolean => scope in SHOWN || ABOUT_RECIPIENTS.has(scope);

/**
 * A word in a text, such as an address in an error of a mail server. Looking for the `@` within the pattern would take 64 times as
 * long in a long word.
 */
const WORD = /[^\s<>"'(),:;]+/g;
const IS_ADDRESS = /[^@]@[^@]/;

const maskWord = (word: string) => `${/^./su.exec(word)?.[0] ?? ''}•••`;

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
  /** The fields that are shown unchanged. */
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
  if (typeof value === 'string')
    return value.replaceAll(WORD, (word) => (IS_ADDRESS.test(word) ? maskText(word) : word));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hide(item, '', { shown, seesMessages }));
  if (name === 'recipient') return maskRecipient(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, hide(part, key, { shown, seesMessages })]),
  );
}

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
 * keys and all addresses masked; without `messages:read` also without the last reply of a channel. It works on what the
 * operation presents, so that no presenter can forget it.
 */
export function withoutContent(access: Pick<Access, 'scopes'>, scope: Scope, reply: Reply): Reply {
  if (seesContent(access) || !showsContent(scope)) return reply;
  if ('refused' in reply || reply.follow || reply.body.byteLength === 0) return reply;
  const seesMessages = access.scopes.has('messages:read');
  const body = hide(JSON.parse(Buffer.from(reply.body).toString('utf8')), '', {
    shown: SHOWN[scope],
    seesMessages,
  });
  return { ...reply, body: Buffer.from(JSON.stringify(body), 'utf8') };
}

/**
 * Refuses a search by content, such as an address, to a caller that may not see content: whether there are results would
 * confirm a guess.
 * @throws RefusedError
 */
export function requireSearch(access: Pick<Access, 'scopes'>, byContent: boolean): void {
  if (byContent) requireScope(access, 'messages:content');
}
