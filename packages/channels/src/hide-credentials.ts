import { LRUCache } from '@postrider/domain';
import type { Exchange } from './http/exchange.ts';
import type { ExchangeFacts } from './sender.ts';

const HIDDEN = '[hidden]';

/** A text can start at any of three offsets in a base64 group. */
const ALIGNMENTS = [0, 1, 2];
/** Shorter base64 texts would match by chance. */
const MIN_BASE64_LENGTH = 6;
const BASE64_RUN = /[A-Za-z0-9+/]+=*/g;
/** A reply can have a megabyte. At most a quarter of this is stored. */
const MAX_REPLY_CHARACTERS = 65_536;
/**
 * The shortest beginning of a credential that is hidden at the end of a text. Fewer characters would match by chance.
 */
const MIN_BEGINNING = 4;

const percentEncoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
const asciiJson = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The text as read in each character set that a server may use, decoded as UTF-8. */
function readings(text: string): string[] {
  const utf8 = Buffer.from(text, 'utf8');
  return [
    text,
    text.normalize('NFC'),
    text.normalize('NFD'),
    text.normalize('NFKC'),
    utf8.toString('latin1'),
    new TextDecoder('windows-1252').decode(utf8),
    Buffer.from(text, 'latin1').toString('utf8'),
    text.replace(/[^\0-\x7f]/gu, '?'),
    utf8.toString('latin1').replace(/[^\0-\x7f]/g, '?'),
  ];
}

/** The unchanged text, and the text quoted for URLs, JSON, quoted strings and HTML. */
function quotings(text: string): string[] {
  const url = percentEncoded(text);
  return [
    text,
    url,
    url.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
    url.replaceAll('%20', '+'),
    JSON.stringify(text).slice(1, -1),
    asciiJson(text),
    text.replace(/["\\]/g, '\\$&'),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
}

/**
 * The base64 digits that these octets always produce, for each offset: for example what follows a user name in AUTH
 * PLAIN (RFC 4616).
 */
function base64Cores(octets: Buffer): string[] {
  return ALIGNMENTS.map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), octets])
      .toString('base64')
      .replace(/=+$/, '');
    const shared = ((before + octets.length) * 8) % 6 === 0 ? 0 : 1;
    return digits.slice(Math.ceil((before * 8) / 6), digits.length - shared);
  }).filter((core) => core.length >= MIN_BASE64_LENGTH);
}

/** The failure function of Knuth, Morris and Pratt: for each prefix of a text, the length of its longest border. */
function borders(text: string): Uint32Array {
  const lengths = new Uint32Array(text.length + 1);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = lengths[length] ?? 0;
    if (text[at] === text[length]) length += 1;
    lengths[at + 1] = length;
  }
  return lengths;
}

interface Range {
  readonly start: number;
  end: number;
}

/**
 * Finds where a text contains a spelling, or ends with its beginning, because only a part of a reply is read. Overlapping matches are
 * one range. The time is linear in the text, whatever the length of the spelling: a tenant can choose both, and thousands of texts of
 * a reply can be searched. V8's search takes up to the product of both lengths, half a second for a credential of 4,096 characters
 * and a reply of 16 KiB.
 */
function rangesOf(text: string, spelling: string): Range[] {
  const first = text.indexOf(spelling.slice(0, MIN_BEGINNING));
  if (first < 0) return [];
  const ranges: Range[] = [];
  const add = (start: number, end: number) => {
    const last = ranges.at(-1);
    if (last && start < last.end) last.end = end;
    else ranges.push({ start, end });
  };
  // No more of it can fit into the text.
  const shorter = borders(spelling.slice(0, text.length - first));
  let length = 0;
  for (let at = first; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (length > 0 && unit !== spelling.charCodeAt(length)) length = shorter[length] ?? 0;
    if (unit === spelling.charCodeAt(length)) length += 1;
    if (length < spelling.length) continue;
    add(at + 1 - length, at + 1);
    length = shorter[length] ?? 0;
  }
  if (length >= MIN_BEGINNING) add(text.length - length, text.length);
  return ranges;
}

/**
 * Hides every spelling; overlapping ones are hidden as one. It uses no regular expression: V8 refuses one as large as
 * a long credential, and its error message contains the pattern.
 */
function hideAll(text: string, spellings: readonly string[]): string {
  const found = spellings.flatMap((spelling) => rangesOf(text, spelling));
  if (found.length === 0) return text;
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  let shown = '';
  let end = 0;
  for (const range of found) {
    if (range.start >= end) shown += `${text.slice(end, range.start)}${HIDDEN}`;
    end = Math.max(end, range.end);
  }
  return shown + text.slice(end);
}

function createHider(username: string, password: string): (text: string) => string {
  const texts = [...new Set([...new Set(readings(password))].flatMap(quotings))].filter((text) =>
    /[^?\ufffd]/.test(text),
  );
  const octets = ['utf8', 'latin1'] as const;
  const cores = octets.flatMap((encoding) => base64Cores(Buffer.from(password, encoding)));
  const whole = [password, ...(username === '' ? [] : [username])].flatMap((text) =>
    octets.map((encoding) => Buffer.from(text, encoding).toString('base64')),
  );
  const spellings = [...new Set([...whole, ...texts])];
  // Passes that are linear in the text: one pattern for "digits, core, digits" is quadratic on a long run of digits.
  return (text) => {
    const read = text.slice(0, MAX_REPLY_CHARACTERS);
    const withoutRuns = read.replace(BASE64_RUN, (run, at: number) => {
      const isLast = at + run.length === read.length;
      const isHidden = cores.some((core) =>
        rangesOf(run, core).some(({ start, end }) => isLast || end - start >= core.length),
      );
      return isHidden ? HIDDEN : run;
    });
    return hideAll(withoutRuns, spellings);
  };
}

/** Creating a hider takes up to a millisecond per 40 characters, and channels send the same credentials repeatedly. */
const hiders = new LRUCache<string, (text: string) => string>({
  max: 1_000,
  maxSize: 256 * 1024,
  sizeCalculation: (_, key) => key.length,
  memoMethod: (key) => createHider(...(JSON.parse(key) as [username: string, password: string])),
});

/**
 * Creates a function that removes a server's credentials from its replies. Some servers repeat the command that they
 * refuse, and replies are stored with the attempt, which tenants can read. It hides the password as text, in the
 * character sets and quotings that servers use, and any base64 run that contains it, as in AUTH PLAIN and AUTH LOGIN.
 * The user name is hidden only as AUTH LOGIN sends it, not as text: it is often the sender's address, which replies
 * name. A credential that the end of a reply has cut is hidden from its first {@link MIN_BEGINNING} characters on.
 */
export function hideCredentials(username: string, password: string | undefined): (text: string) => string {
  if (!password) return (text) => text;
  return hiders.memo(JSON.stringify([username, password]));
}

/** Removes credentials from the headers and bodies of responses, whatever their status. */
interface HiddenResponses {
  exchange(exchange: Exchange): Exchange;
  facts(facts: ExchangeFacts): ExchangeFacts;
}

/**
 * Hides these credentials in exchanges, because responses are stored with the attempt, which tenants can read.
 * @param secrets credentials that the request contains or was signed with
 */
export function hidingResponses(secrets: readonly string[]): HiddenResponses {
  const hide = (text: string) =>
    text === '' ? text : secrets.reduce((shown, secret) => hideCredentials('', secret)(shown), text);
  return {
    exchange(exchange) {
      const { response } = exchange;
      if (!response || response.bodyExcerpt === null) return exchange;
      return { ...exchange, response: { ...response, bodyExcerpt: hide(response.bodyExcerpt) } };
    },
    facts({ responseHeaders, ...facts }) {
      if (!responseHeaders) return facts;
      return {
        ...facts,
        responseHeaders: responseHeaders.map(([name, value]) => [name, hide(value)] as const),
      };
    },
  };
}
