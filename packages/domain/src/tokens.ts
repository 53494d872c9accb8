import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RandomBytes } from './ids.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 30 base62 characters are 178 bits: docs/specification.md, "Authentication". */
const RANDOM_LENGTH = 30;
/** 62^6 is more than 2^32: a CRC-32 always fits. */
const CHECKSUM_LENGTH = 6;
/** The largest multiple of 62 in a byte. Bytes from here on are discarded, or some characters would be more likely. */
const UNBIASED_BYTES = 248;

/** A slug as used in tokens; the database has the same constraint. */
export const ENVIRONMENT_NAME_PATTERN = '^[a-z0-9][a-z0-9-]{0,62}$';
const ENVIRONMENT_NAME = new RegExp(ENVIRONMENT_NAME_PATTERN);
/** `pc_` marks the token of a consumer, which the release before refuses by its form. */
const TOKEN = /^p[rc]_[a-z0-9][a-z0-9-]{0,62}_[0-9A-Za-z]{36}$/;

/**
 * Whether `text` is a valid environment name: 1 to 63 of `[a-z0-9-]`, not starting with a hyphen
 * (docs/specification.md, "Authentication").
 */
export function isEnvironmentName(text: string): boolean {
  return ENVIRONMENT_NAME.test(text);
}

/**
 * A new environment token: `pr_<environment name>_`, 30 random base62 characters and 6 of checksum
 * (docs/specification.md, "Authentication"). The checksum is the CRC-32 of everything before it. It detects typing
 * errors, not forgery. The token of a consumer begins with `pc_`.
 * @throws TypeError for an invalid environment name
 */
export function createToken(
  environmentName: string,
  random: RandomBytes = randomBytes,
  { ofConsumer = false }: { readonly ofConsumer?: boolean } = {},
): string {
  if (!isEnvironmentName(environmentName))
    throw new TypeError('createToken needs the name of an environment');
  return tokenWith(`${ofConsumer ? 'pc' : 'pr'}_${environmentName}_`, random);
}

/** Whether `text` has the form of a token and a correct checksum. Anything else is refused without a database query. */
export function isWellFormedToken(text: string): boolean {
  return TOKEN.test(text) && hasChecksum(text);
}

function tokenWith(prefix: string, random: RandomBytes): string {
  const body = prefix + randomBase62(RANDOM_LENGTH, random);
  return body + checksum(body);
}

const hasChecksum = (text: string) =>
  checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** Tokens of one use: a prefix, then 30 random base62 characters and 6 of checksum, like an environment token. */
function tokensWith(prefix: string) {
  const form = new RegExp(`^${prefix}[0-9A-Za-z]{36}$`);
  return {
    create: (): string => tokenWith(prefix, randomBytes),
    /** Whether `text` has the form of such a token and a correct checksum. */
    isWellFormed: (text: string): boolean => form.test(text) && hasChecksum(text),
  };
}

/** The feedback tokens of channels (docs/specification.md, "Feedback"). */
export const FEEDBACK_TOKENS = tokensWith('fb_');
export const OPERATOR_TOKENS = tokensWith('po_');

/** Compares two texts in a time that depends on their lengths only. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** SHA-256 (32 bytes) of a text in UTF-8. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** The hash of a token, the only stored form (docs/specification.md, "Authentication"). */
export function hashToken(text: string): Buffer {
  return sha256(text);
}

/** The part of a token that may be shown: `pr_<environment name>_`. */
export function tokenPrefix(text: string): string {
  return text.slice(0, text.lastIndexOf('_') + 1);
}

/** The last four characters of a token, part of its checksum, by which owners recognise it. */
export function tokenLastFour(text: string): string {
  return text.slice(-4);
}

function randomBase62(length: number, random: RandomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < UNBIASED_BYTES) text += BASE62.charAt(byte % BASE62.length);
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit += 1) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
