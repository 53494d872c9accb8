const HIDDEN = '[hidden]';

/** Octets of a base64 digit group, and the octets before a text that shift where its groups begin. */
const ALIGNMENTS = [0, 1, 2];
/** Fewer base64 digits than this would be found in any text. */
const MIN_BASE64_LENGTH = 6;
const BASE64_RUN = /[A-Za-z0-9+/]+=*/g;
/** Replies can have a megabyte. Of this much at most a quarter is kept, so no credential is cut at the end of that. */
const MAX_REPLY_CHARACTERS = 65_536;

const percentEncoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
const asciiJson = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The encodings in which a server may have read or may write a text, as text that was then read as UTF-8. */
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

/** The ways to quote a text: as it is, in a URL, in JSON, in a quoted string, in HTML. */
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
 * The base64 digits that any text with these octets in it has, by where they begin in it: what is behind a user name in
 * AUTH PLAIN, for example (RFC 4616).
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
 * The text without any of the spellings; where some overlap, what they cover together is hidden. No pattern is made of them:
 * that of a long credential is larger than V8 takes, and its error repeats the pattern.
 */
function hideAll(text: string, spellings: readonly string[]): string {
  const found = spellings.flatMap((spelling) => {
    const places: { start: number; end: number }[] = [];
    for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + spelling.length)) {
      places.push({ start: at, end: at + spelling.length });
    }
    return places;
  });
  if (found.length === 0) return text;
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  let shown = '';
  let end = 0;
  for (const place of found) {
    if (place.start >= end) shown += `${text.slice(end, place.start)}${HIDDEN}`;
    end = Math.max(end, place.end);
  }
  return shown + text.slice(end);
}

/**
 * Makes the function that takes a server's credentials out of what it says: some repeat the command that they
 * refuse, and replies are kept with the attempt, which tenants read. It hides the password as text, in the character
 * sets and quotings that servers use, and every run of base64 digits that holds it, which AUTH PLAIN and AUTH LOGIN send.
 * The user name is hidden as AUTH LOGIN sends it, and not as text: it often is the sender's address, which replies name.
 */
export function hideCredentials(username: string, password: string | undefined): (text: string) => string {
  if (!password) return (text) => text;
  const texts = [...new Set([...new Set(readings(password))].flatMap(quotings))].filter((text) =>
    /[^?\ufffd]/.test(text),
  );
  const octets = ['utf8', 'latin1'] as const;
  const cores = octets.flatMap((encoding) => base64Cores(Buffer.from(password, encoding)));
  const whole = [password, ...(username === '' ? [] : [username])].flatMap((text) =>
    octets.map((encoding) => Buffer.from(text, encoding).toString('base64')),
  );
  const spellings = [...new Set([...whole, ...texts])];
  // Two passes, each linear in the text: one pattern for "digits, core, digits" is quadratic on a long run of digits.
  return (text) =>
    hideAll(
      text
        .slice(0, MAX_REPLY_CHARACTERS)
        .replace(BASE64_RUN, (run) => (cores.some((core) => run.includes(core)) ? HIDDEN : run)),
      spellings,
    );
}
