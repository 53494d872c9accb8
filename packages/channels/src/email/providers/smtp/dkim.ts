import { createHash, sign } from 'node:crypto';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import MessageParser, { type MessageParserHeaderLine } from 'nodemailer/lib/dkim/message-parser';
import RelaxedBody from 'nodemailer/lib/dkim/relaxed-body';

/** A key that signs mail, and where the DNS has its public key. */
export interface DkimKey {
  readonly algorithm: 'rsa-sha256' | 'ed25519-sha256';
  readonly domain: string;
  readonly selector: string;
  /** In PEM. */
  readonly privateKey: string;
}

/**
 * The header fields that a signature covers: all that matter to people or programs (RFC 6376 section 5.4.1), and the
 * two that RFC 8058 section 4 requires. Each is listed once more than the mail has it, so that nobody can add another
 * (RFC 6376 section 8.15).
 */
const SIGNED_FIELDS = [
  ...['from', 'sender', 'reply-to', 'subject', 'date', 'message-id', 'to', 'cc', 'mime-version'],
  ...['content-type', 'content-transfer-encoding', 'in-reply-to', 'references', 'auto-submitted'],
  ...['list-id', 'list-unsubscribe', 'list-unsubscribe-post', 'feedback-id'],
];

/** Longest line of a signature's header, in octets. */
const LINE_LENGTH = 76;

/** Relaxed header canonicalization, RFC 6376 section 3.4.2. */
function relaxed(line: string): string {
  const colon = line.indexOf(':');
  const value = line
    .slice(colon + 1)
    .replace(/\r?\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '');
  return `${line.slice(0, colon).trim().toLowerCase()}:${value}`;
}

/** The names of the signed fields, and the lines of those that the mail has; the last of a name is signed first. */
function signedFields(headers: readonly MessageParserHeaderLine[]) {
  const names: string[] = [];
  const lines: string[] = [];
  for (const name of SIGNED_FIELDS) {
    const present = headers.filter(({ key }) => key === name).reverse();
    names.push(...present.map(() => name), name);
    lines.push(...present.map(({ line }) => relaxed(line)));
  }
  return { names, lines };
}

/** Joins parts that may stand on lines of their own, with at most {@link LINE_LENGTH} octets per line. */
function folded(parts: readonly string[]): string {
  const lines = [''];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${part}`;
    if (longer.trimEnd().length <= LINE_LENGTH) lines[lines.length - 1] = longer;
    else lines.push(` ${part}`);
  }
  return lines.map((line) => line.trimEnd()).join('\r\n');
}

/** A `DKIM-Signature` header with its line break. Header lines have one character per octet. */
function signature(
  { algorithm, domain, selector, privateKey }: DkimKey,
  headers: readonly MessageParserHeaderLine[],
  bodyHash: string,
): string {
  const { names, lines } = signedFields(headers);
  const tags = `v=1; a=${algorithm}; c=relaxed/relaxed; d=${domain}; q=dns/txt; s=${selector}; bh=${bodyHash}; h=`;
  const unsigned = folded([
    ...`DKIM-Signature: ${tags}`.split(/(?<= )/),
    ...names.map((name, index) => (index === names.length - 1 ? `${name}; ` : `${name}:`)),
    'b=',
  ]);
  const data = Buffer.from([...lines, relaxed(unsigned)].join('\r\n'), 'latin1');
  // RFC 8463 section 3: Ed25519 signs the hash of the data.
  const signed =
    algorithm === 'rsa-sha256'
      ? sign('sha256', data, privateKey)
      : sign(null, createHash('sha256').update(data).digest(), privateKey);
  const inLines = signed.toString('base64').match(/.{1,72}/g) ?? [];
  return `${unsigned}${inLines.map((line) => `\r\n ${line}`).join('')}\r\n`;
}

/**
 * Signs a mail with each key: returns the mail with the signatures before its headers. It is read in full first, as
 * the hash of its body is in the header. Errors of the input and of a key end the output.
 */
export function signMail(input: Readable, keys: readonly DkimKey[]): Readable {
  const parser = new MessageParser();
  const body = new RelaxedBody({ hashAlgo: 'sha256' });
  let headers: readonly MessageParserHeaderLine[] = [];
  let bodyHash = '';
  parser.on('headers', (lines: readonly MessageParserHeaderLine[]) => {
    headers = lines;
  });
  body.on('hash', (hash: string) => {
    bodyHash = hash;
  });
  const output = new PassThrough();
  // An error also destroys the last stream, so that `buffer` rejects with it.
  const content = pipeline(input, parser, body, () => undefined);
  output.once('close', () => input.destroy());
  buffer(content)
    .then((bytes) => {
      const signatures = keys.map((key) => signature(key, headers, bodyHash)).join('');
      output.write(Buffer.concat([Buffer.from(signatures), parser.rawHeaders || Buffer.alloc(0)]));
      output.end(bytes);
    })
    .catch((error: Error) => output.destroy(error));
  return output;
}
