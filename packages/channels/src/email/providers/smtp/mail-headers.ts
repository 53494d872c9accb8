import { onOneLine } from '@postrider/domain';
import type { MailMessage, SendMailOptions } from 'nodemailer';
import { encodeWord, quoteString } from 'nodemailer/lib/mime-funcs';
import type { EmailAttachment, EmailMessage } from '../../provider.ts';

/** Octets of a header line, without its line break: RFC 5322 section 2.1.1 and RFC 2047 section 2. */
const LINE_LENGTH = 76;
/** Octets of an encoded word, and of any other word that is left as it is: both fit on a line behind a header's name. */
const WORD_LENGTH = 60;
const ENCODED_WORD_START = '=?';
/** Printable ASCII, with single spaces between words: what folding and unfolding bring back as it was. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Words that a phrase can have without quotes, of the atoms of RFC 5322 section 3.2.3. */
const ATOMS = /^[\w-]+(?: [\w-]+)*$/;

/** A message with headers that are encoded and folded already, which the library does not see. */
export interface ComposedEmail extends SendMailOptions {
  /** The recipient of the event stands first. */
  readonly envelope: { readonly from: string; readonly to: string[] };
  readonly ownHeaders: readonly string[];
}

/**
 * Puts words on lines of at most 76 octets; a word that is longer has a line of its own. The first stands behind the
 * header's name.
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

/** The text in encoded words, as base64 where that is shorter and illegible anyway. */
function encoded(text: string): string[] {
  const beyondAscii = text.match(/[^ -~]/gu)?.length ?? 0;
  return encodeWord(text, beyondAscii * 2 > text.length ? 'B' : 'Q', WORD_LENGTH).split(' ');
}

/**
 * Whether a text can be written as it is. One that a mail program would take for an encoded word is not such a text: it
 * would arrive as another one (RFC 2047 section 7).
 */
function isPlain(text: string): boolean {
  return (
    PLAIN.test(text) &&
    !text.includes(ENCODED_WORD_START) &&
    text.split(' ').every((word) => word.length <= WORD_LENGTH)
  );
}

/** An unstructured header such as a subject, which arrives as the text is once it stands on one line. */
export function textHeader(name: string, value: string): string {
  const text = onOneLine(value);
  return folded(name, text === '' || isPlain(text) ? text.split(' ') : encoded(text));
}

function phrase(text: string): string[] {
  if (!isPlain(text)) return encoded(text);
  if (ATOMS.test(text)) return text.split(' ');
  const quoted = quoteString(text);
  return quoted.length <= WORD_LENGTH ? [quoted] : encoded(text);
}

/**
 * A header with one address and its display name.
 * @param address one bare address, which was validated
 */
export function addressHeader(name: string, address: string, displayName: string | null): string {
  const shown = onOneLine(displayName ?? '');
  return folded(name, shown === '' ? [address] : [...phrase(shown), `<${address}>`]);
}

/** A header with several bare addresses, which were validated. */
export function addressesHeader(name: string, addresses: readonly string[]): string {
  const last = addresses.length - 1;
  return folded(
    name,
    addresses.map((address, index) => (index === last ? address : `${address},`)),
  );
}

/** Has a transport write the own headers of a {@link ComposedEmail} before those that the library writes. */
export function writeOwnHeaders<Info>(mail: MailMessage<Info>, done: () => void): void {
  const { ownHeaders } = mail.data as ComposedEmail;
  const build = mail.message.buildHeaders.bind(mail.message);
  mail.message.buildHeaders = () => [...ownHeaders, build()].join('\r\n');
  done();
}

const toMailAttachment = ({ filename, contentType, content, cid }: EmailAttachment) => ({
  filename,
  contentType,
  content,
  // A text file is a file, and arrives byte for byte.
  contentTransferEncoding: 'base64' as const,
  contentDisposition: cid === undefined ? ('attachment' as const) : ('inline' as const),
  ...(cid === undefined ? {} : { cid }),
});

/**
 * The message as the library takes it. The envelope is set explicitly: addresses in headers decide nothing. Headers with
 * text of others are encoded here, because the library lets pass what is an encoded word already. Content is texts
 * and bytes; nothing in it can make the library read a file or a URL.
 */
export function composeEmail(message: EmailMessage): ComposedEmail {
  const { messageId, from, to, cc, bcc, replyTo, subject, html, text, headers, attachments } = message;
  return {
    envelope: { from: from.email, to: [to.email, ...cc, ...bcc] },
    messageId,
    ownHeaders: [
      addressHeader('From', from.email, from.name),
      addressHeader('To', to.email, to.name),
      ...(cc.length > 0 ? [addressesHeader('Cc', cc)] : []),
      ...(replyTo ? [addressHeader('Reply-To', replyTo, null)] : []),
      textHeader('Subject', subject),
    ],
    headers: { ...headers },
    ...(attachments.length > 0 ? { attachments: attachments.map(toMailAttachment) } : {}),
    ...(html === null ? {} : { html }),
    ...(text === null ? {} : { text }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
