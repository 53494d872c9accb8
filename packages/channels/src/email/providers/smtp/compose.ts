import { isTextHeader, onOneLine } from '@postrider/domain';
import type { MailMessage, SendMailOptions } from 'nodemailer';
import { encodeWord, quoteString } from 'nodemailer/lib/mime-funcs';
import type { EmailAttachment, EmailMessage } from '../../provider.ts';

/** Octets of a header line, without its line break: RFC 5322 section 2.1.1 and RFC 2047 section 2. */
const LINE_LENGTH = 76;
/** Octets of an encoded word, or of another unencoded word: it fits on a line after the header's name. */
const WORD_LENGTH = 60;
const ENCODED_WORD_START = '=?';
/** Printable ASCII with single spaces between words: folding and unfolding return the same text. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Words that a phrase can contain without quotes: atoms of RFC 5322 section 3.2.3. */
const ATOMS = /^[\w-]+(?: [\w-]+)*$/;

/** A message whose text headers are already encoded and folded, so nodemailer does not encode them. */
export interface ComposedEmail extends SendMailOptions {
  /** The recipient of the event is first. */
  readonly envelope: { readonly from: string; readonly to: string[] };
  readonly ownHeaders: readonly string[];
}

/**
 * Folds words into lines of at most 76 octets. A longer word gets its own line. The first line follows the header's
 * name.
 */
function folded(name: string, [first = '', ...rest]: readonly string[]): string {
  const lines: string[] = [];
  let line = `${name}: ${first}`;
  for (const word of rest) {
    const longer = `${line} ${word}`;
    if (longer.length <= LINE_LENGTH) {
      line = longer;
    } else {
      lines.push(line);
      line = ` ${word}`;
    }
  }
  return [...lines, line].join('\r\n');
}

/** Encodes a text in encoded words: in base64 if that is shorter and quoted-printable would not be readable. */
function encoded(text: string): string[] {
  const beyondAscii = text.match(/[^ -~]/gu)?.length ?? 0;
  return encodeWord(text, beyondAscii * 2 > text.length ? 'B' : 'Q', WORD_LENGTH).split(' ');
}

/**
 * Whether a text can be written unencoded. A text that looks like an encoded word must be encoded, or mail programs
 * would decode it (RFC 2047 section 7).
 */
function isPlain(text: string): boolean {
  return (
    PLAIN.test(text) &&
    !text.includes(ENCODED_WORD_START) &&
    text.split(' ').every((word) => word.length <= WORD_LENGTH)
  );
}

/** An unstructured header such as a subject. The text arrives unchanged, on one line. */
function textHeader(name: string, value: string): string {
  const text = onOneLine(value);
  return folded(name, text === '' || isPlain(text) ? text.split(' ') : encoded(text));
}

/** The words of a template's text header, encoded only if they must be: programs read long words and quotes of ASCII. */
function wordsOf(value: string): string[] {
  const mustEncode = /[^ -~]/.test(value) || value.includes(ENCODED_WORD_START);
  return mustEncode ? encoded(onOneLine(value)) : value.split(' ');
}

/** The headers in ASCII, each on one line, for services that write them unchanged. */
export function asciiHeaders(headers: EmailMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isTextHeader(name) ? wordsOf(value).join(' ') : value,
    ]),
  );
}

function phrase(text: string): string[] {
  if (!isPlain(text)) return encoded(text);
  if (ATOMS.test(text)) return text.split(' ');
  const quoted = quoteString(text);
  return quoted.length <= WORD_LENGTH ? [quoted] : encoded(text);
}

/**
 * A header with one address and its display name.
 * @param address one validated bare address
 */
function addressHeader(name: string, address: string, displayName: string | null): string {
  const shown = onOneLine(displayName ?? '');
  return folded(name, shown === '' ? [address] : [...phrase(shown), `<${address}>`]);
}

/** A header with several validated bare addresses. */
function addressesHeader(name: string, addresses: readonly string[]): string {
  const last = addresses.length - 1;
  return folded(
    name,
    addresses.map((address, index) => (index === last ? address : `${address},`)),
  );
}

/** Makes nodemailer write the headers of a {@link ComposedEmail} before its own. */
export function writeOwnHeaders<Info>(mail: MailMessage<Info>, done: () => void): void {
  const { ownHeaders } = mail.data as ComposedEmail;
  const build = mail.message.buildHeaders.bind(mail.message);
  mail.message.buildHeaders = () => [...ownHeaders, build()].join('\r\n');
  done();
}

/**
 * The text with every line break as CRLF. A payload may hold a CR alone, which SMTP forbids (RFC 5321 section 2.3.8): a
 * server that turns it into a line break also breaks the DKIM signature.
 */
const withLineBreaks = (text: string) => text.replace(/\r\n?|\n/g, '\r\n');

const toMailAttachment = ({ filename, contentType, content, cid }: EmailAttachment) => ({
  filename,
  contentType,
  content,
  // A text file is sent as a file, byte for byte.
  contentTransferEncoding: 'base64' as const,
  contentDisposition: cid === undefined ? ('attachment' as const) : ('inline' as const),
  ...(cid === undefined ? {} : { cid }),
});

/**
 * Converts a message for nodemailer. The SMTP envelope is set explicitly, so addresses in headers have no effect. Headers
 * with text from outside are encoded here, because nodemailer does not encode text that already looks like an encoded
 * word. `returnPath` is where bounces go. Content is passed as text and bytes, so nodemailer cannot be made to read a file or a URL.
 */
export function composeEmail(message: EmailMessage, returnPath = message.from.email): ComposedEmail {
  const { messageId, from, to, cc, bcc, replyTo, subject, html, text, headers, attachments } = message;
  const given = Object.entries(headers);
  return {
    envelope: { from: returnPath, to: [to.email, ...cc, ...bcc] },
    messageId,
    ownHeaders: [
      addressHeader('From', from.email, from.name),
      addressHeader('To', to.email, to.name),
      ...(cc.length > 0 ? [addressesHeader('Cc', cc)] : []),
      ...(replyTo ? [addressHeader('Reply-To', replyTo, null)] : []),
      textHeader('Subject', subject),
      ...given.filter(([name]) => isTextHeader(name)).map(([name, value]) => folded(name, wordsOf(value))),
    ],
    headers: Object.fromEntries(given.filter(([name]) => !isTextHeader(name))),
    ...(attachments.length > 0 ? { attachments: attachments.map(toMailAttachment) } : {}),
    ...(html === null ? {} : { html: withLineBreaks(html) }),
    ...(text === null ? {} : { text: withLineBreaks(text) }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
