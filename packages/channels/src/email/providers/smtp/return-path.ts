import { BOUNCE_TOKEN_LENGTH, canonicalAddress, isBareEmailAddress } from '@postrider/domain';

/** Stands for the token of the run in a return path, by which a bounce finds its run. */
const TOKEN = '{run}';
/** It ends the local part, after a separator or nothing, so that the token can be found in an address. */
const WITH_TOKEN = /^(?:[^{}@]*[^0-9A-Za-z{}@])?\{run\}@[^{}]*$/;

export const needsToken = (returnPath: string): boolean => returnPath.includes(TOKEN);

/** The return path of a mail. @param token of its run; unused unless {@link needsToken} */
export const withToken = (returnPath: string, token: string): string =>
  canonicalAddress(returnPath.replace(TOKEN, token));

/** What a return path must be; null if it is valid. */
export function returnPathProblem(returnPath: string): string | null {
  if (/[{}]/.test(returnPath) && !WITH_TOKEN.test(returnPath)) {
    return `must have ${TOKEN} once, directly before the @ and after a separator, such as bounces+${TOKEN}@example.com`;
  }
  const filled = returnPath.replace(TOKEN, '0'.repeat(BOUNCE_TOKEN_LENGTH));
  if (isBareEmailAddress(canonicalAddress(filled))) return null;
  const before = 64 - BOUNCE_TOKEN_LENGTH;
  return needsToken(returnPath)
    ? `must be an email address, with at most ${before} characters before ${TOKEN}`
    : 'must be one bare email address';
}

/** A token at the end of a local part. */
const IN_ADDRESS = new RegExp(`(?:^|[^0-9a-z])([0-9a-z]{${BOUNCE_TOKEN_LENGTH}})@`, 'gi');

/** The possible tokens in a text with addresses, such as the value of a header. */
export const tokensIn = (text: string): string[] =>
  [...text.matchAll(IN_ADDRESS)].flatMap(([, token = '']) => [token]);
