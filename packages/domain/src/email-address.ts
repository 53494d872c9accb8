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
 * (docs/specification.md, "Recipients"). ASCII only: internationalised domains use their `xn--` form, and local parts
 * outside ASCII, which need SMTPUTF8 at every hop, are refused. Also refused are quoted local parts, comments,
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

/**
 * Normalizes an address for comparison: the domain in lower case and the local part unchanged, because only its own
 * host may interpret it (RFC 5321 section 2.4).
 */
export function canonicalAddress(address: string): string {
  const at = address.indexOf('@');
  return at === -1 ? address : address.slice(0, at) + address.slice(at).toLowerCase();
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
