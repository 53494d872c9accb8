import type { Readable } from 'node:stream';
import { MailParser, type MailParserOptions } from 'mailparser';

/** The parts of a report that say something: those that are machine readable, and what was returned of the mail. */
export interface Report {
  /** Of the report itself. */
  readonly messageId: string | null;
  readonly date: Date | null;
  /** `message/delivery-status` (RFC 3464, also `message/global-delivery-status`); null where there is none. */
  readonly deliveryStatus: string | null;
  /** `message/feedback-report` (RFC 5965). */
  readonly feedbackReport: string | null;
  /** The returned mail or its headers, from the first byte. */
  readonly returned: string | null;
}

/** A report has some five parts. */
const MAX_PARTS = 32;
/**
 * Bytes of the headers of a part; those that are returned are a body. The parser takes all addresses of a header at once:
 * up to 30 ms for so many.
 */
const MAX_HEAD_BYTES = 16 * 1024;
/** Bytes of a part that are read; the report as a whole is bounded by who calls. */
const MAX_PART_BYTES = 128 * 1024;
/** Well beyond what the largest report takes. */
const MAX_MS = 2_000;

/** A mail that is not embedded in another one, and no text that is made of another. Its types lack the splitter's bounds. */
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
const PARTS: ReadonlyMap<string, 'deliveryStatus' | 'feedbackReport' | 'returned'> = new Map([
  ['message/delivery-status', 'deliveryStatus'],
  ['message/global-delivery-status', 'deliveryStatus'],
  ['message/feedback-report', 'feedbackReport'],
  ['message/rfc822', 'returned'],
  ['message/global', 'returned'],
  ['message/rfc822-headers', 'returned'],
  ['message/global-headers', 'returned'],
  ['text/rfc822-headers', 'returned'],
]);

/** The beginning of a stream as text; the rest is read and left. */
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
 * Takes a mail apart and gives what a report has; all null for a mail that is none, and what came before the fault of one
 * that cannot be parsed. The parser takes 16 KiB at a time, and others their turn in between.
 */
export async function readReport(mail: Buffer): Promise<Report> {
  const found: { -readonly [Field in keyof Report]: Report[Field] } = {
    messageId: null,
    date: null,
    deliveryStatus: null,
    feedbackReport: null,
    returned: null,
  };
  const parser = new MailParser(OPTIONS);
  parser.on('headers', (headers) => {
    const id = headers.get('message-id');
    const date = headers.get('date');
    found.messageId = typeof id === 'string' ? id : null;
    found.date = date instanceof Date && !Number.isNaN(date.getTime()) ? date : null;
  });
  const timer = setTimeout(() => parser.destroy(new Error('the report took too long')), MAX_MS);
  try {
    parser.end(mail);
    for await (const part of parser) {
      if (part.type !== 'attachment') continue;
      const field = PARTS.get(String(part.contentType).toLowerCase());
      const content = await beginningOf(part.content as Readable);
      part.release();
      if (field && found[field] === null) found[field] = content;
    }
  } catch {
    // Not a mail, or one beyond the bounds: there is nobody to tell.
  } finally {
    clearTimeout(timer);
  }
  return found;
}

const FIELD = /^([!-9;-~]{1,64})[ \t]*:(.*)$/s;

/** Groups of fields, which empty lines part: by their names in lower case, unfolded; of one name the first counts. */
export function fieldGroups(text: string, maxGroups: number): ReadonlyMap<string, string>[] {
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
