import { createHmac } from 'node:crypto';
import { uuidOfHex, uuidToBase32 } from '../base32.ts';
import { formatId, parseId } from '../ids.ts';
import { isSameText } from '../tokens.ts';

/** The length of a token: it fits into a local part with 22 further octets (RFC 5321 section 4.5.3.1.1). */
export const BOUNCE_TOKEN_LENGTH = 42;

/**
 * Tokens in the return paths of emails, by which a bounce finds its run. Only digits and lower-case letters; the case is
 * ignored, because servers change it.
 */
export interface BounceTokens {
  /** The token of a run, always the same. @param runId its public id */
  tokenOf(runId: string): string;
  /** The run's public id; null for any text that {@link tokenOf} did not create. */
  runIdOf(token: string): string | null;
}

/** The digits of a run's id in its public id. */
const ID_LENGTH = 26;

/** Creates the tokens: the run's id and the first 80 bits of its HMAC-SHA256. */
export function createBounceTokens(key: Uint8Array): BounceTokens {
  function tokenOf(runId: string): string {
    const uuid = parseId('run', runId);
    if (uuid === null) throw new TypeError("tokenOf needs a run's public id");
    const digest = createHmac('sha256', key).update(uuid).digest('hex');
    // Its last 16 digits are 80 whole bits.
    const mac = uuidToBase32(uuidOfHex(digest.slice(0, 32)));
    return `${uuidToBase32(uuid)}${mac.slice(-(BOUNCE_TOKEN_LENGTH - ID_LENGTH))}`;
  }
  return {
    tokenOf,
    runIdOf(token) {
      const given = token.toLowerCase();
      const uuid =
        given.length === BOUNCE_TOKEN_LENGTH ? parseId('run', `run_${given.slice(0, ID_LENGTH)}`) : null;
      if (uuid === null) return null;
      const runId = formatId('run', uuid);
      return isSameText(given, tokenOf(runId)) ? runId : null;
    },
  };
}
