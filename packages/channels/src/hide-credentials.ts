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

/**
 * Hides every spelling; overlapping ones are hidden as one. It uses no regular expression: V8 refuses one as large as
 * a long credential, and its error message contains the pattern.
 */
function hideAll(text: string, spellings: readonly string[]): string {
  const found = spellings.flatMap((spelling) => {
    const ranges: { start: number; end: number }[] = [];
    for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + spelling.length)) {
      ranges.push({ start: at, end: at + spelling.length });
    }
    return ranges;
  });
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

/**
 * The number of characters at the end of a text that are the beginning of a spelling. Takes time linear in the
 * spelling.
 */
function beginningAtEnd(text: string, spelling: string): number {
  if (spelling.length <= MIN_BEGINNING) return 0;
  const tail = text.slice(1 - spelling.length);
  if (!tail.includes(spelling.slice(0, MIN_BEGINNING))) return 0;
  const shorter = borders(spelling);
  let length = 0;
  for (const unit of tail.split('')) {
    while (length > 0 && unit !== spelling[length]) length = shorter[length] ?? 0;
    if (unit === spelling[length]) length += 1;
  }
  return length;
}

/** Hides a credential that is truncated at the end of the text, because only a part of a reply is read. */
function hideCutOff(text: string, spellings: readonly string[]): string {
  const lengths = spellings.map((spelling) => beginningAtEnd(text, spelling));
  const longest = Math.max(0, ...lengths);
  return longest < MIN_BEGINNING ? text : text.slice(0, -longest) + HIDDEN;
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
  const isInRun = (run: string) => cores.some((core) => run.includes(core));
  const isCutInRun = (run: string) => cores.some((core) => beginningAtEnd(run, core) >= MIN_BEGINNING);
  // Passes that are linear in the text: one pattern for "digits, core, digits" is quadratic on a long run of digits.
  return (text) => {
    const read = text.slice(0, MAX_REPLY_CHARACTERS);
    const withoutRuns = read.replace(BASE64_RUN, (run, at: number) => {
      const isLast = at + run.length === read.length;
      return isInRun(run) || (isLast && isCutInRun(run)) ? HIDDEN : run;
    });
    return hideCutOff(hideAll(withoutRuns, spellings), spellings);
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
