import { domainToASCII, domainToUnicode } from 'node:url';
import type { JsonObject } from './storable-json.ts';

/** RFC 5321 sections 4.5.3.1.1 and 4.5.3.1.3 (a path of 256 octets with its angle brackets). */
export const MAX_EMAIL_ADDRESS_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;

/** dot-atom of RFC 5322 section 3.2.3. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** What lenient mail programs decode, slightly more than RFC 2047 section 2 allows. */
const ENCODED_WORD = /=\?[^?]*\?[bq]\?[^?]*\?=/i;
/** RFC 1123 section 2.1: letters, digits and inner hyphens, at most 63. */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Whether `text` is one bare address that can be used unchanged in an SMTP envelope and header
 * (docs/specification.md, "Recipients"). ASCII only: {@link toBareAddress} converts internationalised domains, and local
 * parts outside ASCII, which need SMTPUTF8 at every hop, are refused. Also refused are quoted local parts, comments,
 * display names, lists, address literals, and domains without a dot except `localhost` (for the local stack). A local
 * part that looks like an encoded word is refused although its characters are legal: mail programs decode it and
 * would show another address.
 */
export function isBareEmailAddress(text: string): boolean {
  if (text.length > MAX_EMAIL_ADDRESS_LENGTH) return false;
  const at = text.indexOf('@');
  if (at === -1) return false;
  const localPart = text.slice(0, at);
  return (
    localPart.length <= MAX_LOCAL_PART_LENGTH &&
    LOCAL_PART.test(localPart) &&
    !ENCODED_WORD.test(localPart) &&
    isDomain(text.slice(at + 1))
  );
}

/** A character outside ASCII. */
const NON_ASCII = /[^\0-\x7f]/;
/** Other ASCII characters could end the host of the URL as which Node.js parses a domain. */
const IDN_DOMAIN = /^[A-Za-z0-9.\-\u0080-\u{10ffff}]+$/u;

/**
 * Converts an internationalised domain to its `xn--` form (UTS #46), in lower case. Other addresses, and domains that
 * have no such form, stay unchanged, and so do addresses that are too long: the conversion takes quadratic time.
 */
export function withAsciiDomain(address: string): string {
  if (address.length > MAX_EMAIL_ADDRESS_LENGTH) return address;
  const at = address.indexOf('@');
  const domain = address.slice(at + 1);
  if (at === -1 || !NON_ASCII.test(domain) || !IDN_DOMAIN.test(domain)) return address;
  const ascii = domainToASCII(domain);
  return ascii === '' ? address : `${address.slice(0, at)}@${ascii}`;
}

/**
 * The form in which a given address is stored and used: {@link isBareEmailAddress} after {@link withAsciiDomain}; null
 * if it is not one bare address.
 */
export function toBareAddress(text: string): string | null {
  const address = withAsciiDomain(text);
  return isBareEmailAddress(address) ? address : null;
}

/** What to change in a text that {@link toBareAddress} refuses. */
export function addressIssue(text: string): string {
  return NON_ASCII.test(text.slice(0, Math.max(0, text.indexOf('@'))))
    ? 'must be an email address with only ASCII characters before the @'
    : 'must be one bare email address, such as ada@example.com';
}

/**
 * Whether a text contains an address in any case, with its domain in ASCII or in Unicode. For texts by people, which
 * may quote it.
 */
export function namesAddress(text: string, address: string): boolean {
  const lower = text.toLowerCase();
  return spellingsOf(address).some((spelling) => lower.includes(spelling));
}

/** The forms in which a text by people may contain an address, in lower case. */
export function spellingsOf(address: string): readonly string[] {
  const ascii = withAsciiDomain(address.trim()).toLowerCase();
  // The conversion back takes quadratic time, too.
  if (ascii.length > MAX_EMAIL_ADDRESS_LENGTH) return [ascii];
  const at = ascii.indexOf('@');
  return [...new Set([ascii, `${ascii.slice(0, at + 1)}${domainToUnicode(ascii.slice(at + 1))}`])];
}

/**
 * Normalizes an address for comparison: the domain in ASCII and lower case, and the local part unchanged, because only
 * its own host may interpret it (RFC 5321 section 2.4).
 */
export function canonicalAddress(address: string): string {
  const ascii = withAsciiDomain(address);
  const at = ascii.indexOf('@');
  return at === -1 ? ascii : ascii.slice(0, at) + ascii.slice(at).toLowerCase();
}

/** A recipient's address, normalized by {@link canonicalAddress}, or null. */
export function addressOf({ email }: JsonObject): string | null {
  return typeof email === 'string' ? canonicalAddress(email) : null;
}

function isDomain(domain: string): boolean {
  if (domain.toLowerCase() === 'localhost') return true;
  if (domain.length > MAX_DOMAIN_LENGTH) return false;
  const labels = domain.split('.');
  const topLevel = labels.at(-1) ?? '';
  // A numeric top-level domain (RFC 3696 section 2) is an IPv4 address without brackets.
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(topLevel);
}
