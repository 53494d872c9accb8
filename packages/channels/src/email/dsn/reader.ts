import type { Readable } from 'node:stream';
import type { FeedbackEvent, FeedbackType } from '@postrider/domain';
import { MailParser, type MailParserOptions } from 'mailparser';
import { enhancedStatus, isPermanentBounce } from '../bounces.ts';
import {
  feedbackEventId,
  feedbackReason,
  feedbackRunId,
  feedbackText,
  feedbackTime,
  type ReadFeedback,
} from '../feedback.ts';
import { tokensIn } from '../providers/smtp/return-path.ts';

/**
 * The parts of a report that are read: `message/delivery-status` (RFC 3464), also `message/global-delivery-status`,
 * `message/feedback-report` (RFC 5965), and the returned mail or its headers, from the first byte.
 */
type ReportPart = 'deliveryStatus' | 'feedbackReport' | 'returned';

interface Report {
  /** The header fields of the report itself. */
  readonly own?: Fields | undefined;
  /** The addresses that the report was sent to, as the beginnings of header values. */
  readonly recipients: readonly string[];
  readonly parts: Readonly<Partial<Record<ReportPart, string>>>;
  /** The text for people. */
  readonly notice: string;
}

/** A report has about five parts. */
const MAX_PARTS = 32;
/** The largest header section of a mail, in bytes: each server on the way adds some. */
const MAX_RAW_HEAD_BYTES = 64 * 1024;
/**
 * The largest header section that the parser gets of the mail and of each part, in bytes. It parses a header at once,
 * in time that grows faster than its length. Parts of reports have about 100 bytes. Returned headers are a body and not
 * limited by this.
 */
const MAX_HEAD_BYTES = 2 * 1024;
/** The headers of a mail that a report needs: its id, its time, and how it is encoded. */
const USED_HEADERS = /^(?:message-id|date|mime-version|content-[a-z-]{1,64})[ \t]*:/i;
/** Headers with the recipient: the first as the sender wrote it, the others of the server that delivered the report. */
const RECIPIENT_HEADER = /^(?:to|delivered-to|x-original-to|(?:x-)?envelope-to)[ \t]*:(.{1,1000})/is;
const MAX_RECIPIENT_HEADERS = 10;
/** Bytes of a part that are read. The caller limits the size of the whole report. */
const MAX_PART_BYTES = 128 * 1024;
/** Time limit for parsing, much more than the largest report takes. */
const MAX_MS = 2_000;

/** Do not parse embedded mails, and do not derive text from HTML. The library's types lack the splitter's limits. */
const OPTIONS = {
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  maxChildNodes: MAX_PARTS,
  maxHeadSize: MAX_HEAD_BYTES,
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
} as MailParserOptions;

/** Which field of a report a part of this type is. */
const PARTS: ReadonlyMap<string, ReportPart> = new Map([
  ['message/delivery-status', 'deliveryStatus'],
  ['message/global-delivery-status', 'deliveryStatus'],
  ['message/feedback-report', 'feedbackReport'],
  ['message/rfc822', 'returned'],
  ['message/global', 'returned'],
  ['message/rfc822-headers', 'returned'],
  ['message/global-headers', 'returned'],
  ['text/rfc822-headers', 'returned'],
]);

/** Reads the beginning of a stream as text, and discards the rest. */
async function beginningOf(content: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of content as AsyncIterable<Buffer>) {
    if (size < MAX_PART_BYTES) pieces.push(piece.subarray(0, MAX_PART_BYTES - size));
    size += piece.length;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * Splits a mail into its head, reduced to the headers that a report needs, its recipients, and the rest; null if the head is too
 * large.
 * Linear in the size of the head.
 */
function splitMail(
  mail: Buffer,
): { readonly head: string; readonly recipients: readonly string[]; readonly body: Buffer } | null {
  // One character for each byte.
  const text = mail.toString('latin1', 0, MAX_RAW_HEAD_BYTES);
  const end = /\r?\n\r?\n/.exec(text)?.index;
  if (end === undefined) return null;
  const headers = text.slice(0, end).split(/\r?\n(?![ \t])/);
  const head = headers.filter((header) => USED_HEADERS.test(header)).join('\r\n');
  const recipients = headers.flatMap((header) => RECIPIENT_HEADER.exec(header)?.[1] ?? []);
  return head.length > MAX_HEAD_BYTES
    ? null
    : { head, recipients: recipients.slice(0, MAX_RECIPIENT_HEADERS), body: mail.subarray(end) };
}

/** The parser's method for the headers of each part, which its types omit. */
type WithHeaders = { processHeaders(lines: readonly { readonly key: string }[]): unknown };

/** Creates a parser that reads only the `Content-` headers of parts: parsing addresses is slow, and they are not used. */
function createParser(): MailParser {
  const parser = new MailParser(OPTIONS);
  const inner = parser as unknown as WithHeaders;
  const processHeaders = inner.processHeaders.bind(parser);
  inner.processHeaders = (lines) => processHeaders(lines.filter(({ key }) => key.startsWith('content-')));
  return parser;
}

function dateOf(text: string | undefined): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * Parses a report. It has no parts if the input is not a mail; a mail that cannot be parsed completely yields the
 * parts before the error. The parser takes 16 KiB at a time and yields to other work in between.
 */
async function readReport(mail: Buffer): Promise<Report> {
  const split = splitMail(mail);
  if (!split) return { recipients: [], parts: {}, notice: '' };
  const parts: Partial<Record<ReportPart, string>> = {};
  let notice = '';
  const parser = createParser();
  const timer = setTimeout(() => parser.destroy(new Error('the report took too long')), MAX_MS);
  try {
    parser.end(Buffer.concat([Buffer.from(split.head, 'latin1'), split.body]));
    for await (const part of parser) {
      if (part.type === 'text') notice = part.text ?? '';
      if (part.type !== 'attachment') continue;
      const name = PARTS.get(String(part.contentType).toLowerCase());
      const content = await beginningOf(part.content as Readable);
      part.release();
      if (name) parts[name] ??= content;
    }
  } catch {
    // Not a mail, or one over the limits. The sender could not do anything about an error.
  } finally {
    clearTimeout(timer);
  }
  return { own: fieldGroups(split.head, 1)[0], recipients: split.recipients, parts, notice };
}

const FIELD = /^([!-9;-~]{1,64})[ \t]*:(.*)$/s;

/**
 * Parses groups of header fields, separated by empty lines. Names are in lower case, values unfolded. Of repeated
 * fields the first counts.
 */
function fieldGroups(text: string, maxGroups: number): ReadonlyMap<string, string>[] {
  const groups: Map<string, string>[] = [];
  const unfolded = text
    .replace(/^\s+/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+(?=\S)/g, ' ');
  for (const block of unfolded.split(/\n[ \t]*\n\s*/, maxGroups)) {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = FIELD.exec(line) ?? [];
      if (name !== '' && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
    }
    if (fields.size > 0) groups.push(fields);
  }
  return groups;
}

/** The most recipients read from one report. The mail of a run has only a few. */
const MAX_RECIPIENTS = 20;
/** The most tokens of one report that are looked up. A genuine report has one. */
const MAX_TOKENS = 10;

type Fields = ReadonlyMap<string, string>;

/** The part of a report about one recipient. */
type ReportedRecipient = Pick<FeedbackEvent, 'type' | 'permanent' | 'email' | 'reason'> & {
  readonly at: string | undefined;
};

/** The address in a field such as `rfc822; ada@example.com`, or null. */
function addressOf(field: string | undefined): string | null {
  if (field === undefined) return null;
  const text = field.includes(';') ? field.slice(field.indexOf(';') + 1) : field;
  const address = text.trim().replace(/^<(.*)>$/, '$1');
  return address.includes('@') ? feedbackText(address) : null;
}

/**
 * The address that a mail was sent to. Sendmail writes it as in the SMTP command, with `+` and `=` escaped (xtext, RFC 3461,
 * section 4). Others do not: if the final recipient has the same address, nothing in it is escaped.
 */
function originalOf(recipient: Fields, final: string | null): string | null {
  const original = addressOf(recipient.get('original-recipient'));
  return original === final ? final : (original?.replaceAll('+2B', '+').replaceAll('+3D', '=') ?? null);
}

/** The actions of a report (RFC 3464, section 2.3.3). */
const ACTIONS: ReadonlyMap<string, FeedbackType> = new Map([
  ['failed', 'bounced'],
  ['delayed', 'deferred'],
  ['delivered', 'delivered'],
  ['relayed', 'delivered'],
  ['expanded', 'delivered'],
]);
/** The classes of statuses, which decide if the action is not known. */
const CLASSES: ReadonlyMap<string, FeedbackType> = new Map([
  ['5', 'bounced'],
  ['4', 'deferred'],
  ['2', 'delivered'],
]);

/** The reply to a recipient in the text for people, where OpenSMTPD gives it: `ada@example.com: 550 5.1.1 Unknown`. */
function replyIn(notice: string, recipient: string): string | undefined {
  const begin = `\n${recipient}: `;
  const at = notice.indexOf(begin);
  return at === -1 ? undefined : /^.{1,1000}/.exec(notice.slice(at + begin.length))?.[0];
}

function readStatus(recipient: Fields, notice: string): ReportedRecipient | null {
  const final = addressOf(recipient.get('final-recipient'));
  const diagnostic = recipient.get('diagnostic-code') ?? (final ? replyIn(notice, final) : undefined);
  const texts = [recipient.get('status'), diagnostic];
  const status = enhancedStatus(...texts) ?? '';
  const action = (recipient.get('action') ?? '').trim().toLowerCase();
  const type = ACTIONS.get(action) ?? CLASSES.get(status.slice(0, 1));
  if (type === undefined) return null;
  return {
    type,
    permanent: type === 'bounced' && isPermanentBounce({ texts }),
    // If the mail was forwarded, the original recipient is the one that it was sent to.
    email: originalOf(recipient, final) ?? final,
    reason: feedbackReason([status, diagnostic?.replace(/^\s*smtp\s*;\s*/i, '')].filter(Boolean).join(' ')),
    at: recipient.get('last-attempt-date'),
  };
}

/** Complaints of RFC 5965 by their type; `not-spam` is none. */
const COMPLAINTS: ReadonlyMap<string, FeedbackType> = new Map([
  ['abuse', 'complained'],
  ['fraud', 'complained'],
  ['virus', 'complained'],
  ['other', 'complained'],
  ['opt-out', 'unsubscribed'],
]);

function readComplaint(fields: Fields): ReportedRecipient[] {
  const kind = (fields.get('feedback-type') ?? '').trim().toLowerCase();
  const type = COMPLAINTS.get(kind);
  if (!type) return [];
  const email = addressOf(fields.get('original-rcpt-to'));
  return [{ type, permanent: false, email, reason: feedbackReason(kind), at: fields.get('arrival-date') }];
}

function readRecipients({
  parts: { deliveryStatus = '', feedbackReport },
  notice,
}: Report): ReportedRecipient[] {
  if (feedbackReport !== undefined) return fieldGroups(feedbackReport, 1).flatMap(readComplaint);
  // The first group is about the message.
  const recipients = fieldGroups(deliveryStatus, MAX_RECIPIENTS + 1).slice(1);
  return recipients.flatMap((recipient) => readStatus(recipient, notice) ?? []);
}

/** The run whose mail has one of these addresses as its return path. */
async function runIdOfReturnPath(
  addresses: readonly string[],
  runIdOfToken: (token: string) => Promise<string | null>,
): Promise<string | null> {
  for (const token of addresses.flatMap(tokensIn).slice(0, MAX_TOKENS)) {
    const runId = await runIdOfToken(token);
    if (runId !== null) return runId;
  }
  return null;
}

/**
 * Reads delivery reports (RFC 3464) and complaints (RFC 5965) that a mail server pipes. The address that the report was
 * sent to identifies the run if it is a return path with a token, also if the report returns nothing of the mail. So does the
 * return path that a complaint names. Otherwise the `Message-ID` of the returned mail does. Anybody can forge a report, so it
 * only counts for a run that it identifies and for that run's address. A mail that is not a report yields no events: the mail
 * server could not do anything about an error.
 */
export const readDsn: ReadFeedback = async ({ query, body, nowMs, runIdOfToken }) => {
  const report = await readReport(body);
  const { own, recipients, parts } = report;
  const returned = fieldGroups(parts.returned ?? '', 1)[0];
  const mailFrom = fieldGroups(parts.feedbackReport ?? '', 1)[0]?.get('original-mail-from') ?? '';
  const returnPaths = [String(query.recipient ?? ''), ...recipients, mailFrom];
  const runId =
    (await runIdOfReturnPath(returnPaths, runIdOfToken)) ?? feedbackRunId(returned?.get('message-id'));
  if (runId === null) return { ok: true, events: [] };
  const date = dateOf(own?.get('date'));
  const reported = readRecipients(report);
  const events = reported.map(({ at, ...event }): FeedbackEvent => {
    const time = feedbackTime(at ?? date?.toISOString(), nowMs);
    const { type, email, reason } = event;
    return {
      ...event,
      id: feedbackEventId(null, runId, type, email, reason, at ?? date ?? own?.get('message-id')),
      runId,
      providerMessageId: null,
      at: time,
    };
  });
  return { ok: true, events };
};
