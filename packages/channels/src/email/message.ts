import { canonicalAddress, isBareEmailAddress, type TemplateContext } from '@postrider/domain';
import type { RunOfHeaders } from '../channel.ts';
import type { Delivery, HeaderList } from '../sender.ts';
import { domainOf } from './accounts.ts';
import type { EmailContent } from './index.ts';
import type { EmailMessage } from './provider.ts';

/**
 * The `Message-ID` of a run's mail, the same on every attempt so that receivers can drop a duplicate
 * (docs/specification.md, "Email"): `<run_…@domain-of-from>`.
 * @param runId the run's public id
 * @param fromAddress the address of `From`, one bare address
 * @throws TypeError when the address has no domain or either would break the header: both were validated
 * before, so that is a bug.
 */
export function emailMessageId(runId: string, fromAddress: string): string {
  const domain = domainOf(fromAddress);
  if (!fromAddress.includes('@') || !/^[a-z0-9.-]+$/.test(domain)) {
    throw new TypeError('emailMessageId needs the address of `From`');
  }
  if (!/^run_[0-9a-z]+$/.test(runId)) throw new TypeError("emailMessageId needs a run's public id");
  return `<${runId}@${domain}>`;
}

/** Marks a test email, independent of what the template says. */
const TEST_EMAIL_HEADER = 'X-Postrider-Test';

/** One-click unsubscribe: RFC 8058 section 3.1. A signature must cover both (section 4). */
const oneClickHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Merges headers case-insensitively; the last value of a name counts. */
function mergedHeaders(...given: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const all = new Map<string, [name: string, value: string]>();
  for (const [name, value] of given.flatMap(Object.entries)) all.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(all.values());
}

/**
 * The message of one attempt (docs/specification.md, "Email"). The domains of all its addresses are in lower case, as
 * the mail library writes them. Null if the recipient has no address that an SMTP envelope can carry.
 */
export function emailMessage(
  {
    content,
    ids,
    message: { recipient, test },
    unsubscribeUrl = null,
    suppressedCopies = [],
  }: RunOfHeaders & Pick<Delivery<EmailContent>, 'content' | 'suppressedCopies'>,
  from: { email: string; name: string | null; replyTo: string | null },
): EmailMessage | null {
  const { email, name } = recipient;
  if (typeof email !== 'string' || !isBareEmailAddress(email)) return null;
  const replyTo = content.reply_to ?? from.replyTo;
  const copies = (given: readonly string[] = []) =>
    given.filter((address) => !suppressedCopies.includes(address)).map(canonicalAddress);
  return {
    messageId: emailMessageId(ids.run, from.email),
    from: { email: canonicalAddress(from.email), name: from.name },
    to: { email: canonicalAddress(email), name: typeof name === 'string' ? name : null },
    cc: copies(content.cc),
    bcc: copies(content.bcc),
    replyTo: replyTo === null ? null : canonicalAddress(replyTo),
    subject: content.subject,
    html: content.html,
    text: content.text,
    // RFC 3834: asks other machines not to reply.
    headers: mergedHeaders(
      { 'Auto-Submitted': 'auto-generated' },
      content.headers ?? {},
      unsubscribeUrl === null ? {} : oneClickHeaders(unsubscribeUrl),
      test ? { [TEST_EMAIL_HEADER]: 'true' } : {},
    ),
    attachments: content.attachments ?? [],
  };
}

/** The most characters of a subject that are stored with an attempt, because a payload determines its length. */
const MAX_KEPT_SUBJECT = 1_000;

/** The beginning of a text, cut between whole characters. */
function beginningOf(text: string): string {
  if (text.length <= MAX_KEPT_SUBJECT) return text;
  return `${text.slice(0, MAX_KEPT_SUBJECT).replace(/\p{Surrogate}$/u, '')}…`;
}

/** The decoded headers of a mail, without those that the mail library adds. A long subject is cut. */
export function shownMailHeaders(message: EmailMessage): HeaderList {
  const { messageId, from, to, cc, bcc, replyTo, subject, headers } = message;
  const address = ({ email, name }: EmailMessage['from']) => (name === null ? email : `${name} <${email}>`);
  return [
    ['From', address(from)],
    ['To', address(to)],
    ...(cc.length === 0 ? [] : [['Cc', cc.join(', ')] as const]),
    ...(bcc.length === 0 ? [] : [['Bcc', bcc.join(', ')] as const]),
    ...(replyTo === null ? [] : [['Reply-To', replyTo] as const]),
    ['Subject', beginningOf(subject)],
    ['Message-ID', messageId],
    ...Object.entries(headers),
  ];
}

/** The content of a test email if the event key has no active template. */
export function testEmail(channelName: string): EmailContent {
  return {
    subject: `Test of the channel ${channelName}`,
    html: null,
    text: `This is a test from Postrider.\n\nThe channel "${channelName}" can send mail.\n`,
  };
}

/** The content of an operational event's email if no template is active for it. */
export function operationalEmail({ event_key: type, payload, timestamp }: TemplateContext): EmailContent {
  const facts = Object.entries(payload).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return {
    subject: `Postrider: ${type}`,
    html: null,
    text: `${type} at ${timestamp}\n\n${facts.join('\n')}\n`,
  };
}
