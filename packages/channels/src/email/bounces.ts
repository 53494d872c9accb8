/**
 * Enhanced status codes (RFC 3463, RFC 7505) that say that an address cannot get mail, now or later: no such mailbox, host or
 * syntax, moved without a new address, a domain without mail, a disabled mailbox. All others are about this message,
 * its sender, or the state of the mailbox: a full one, content, reputation, policy.
 */
const INVALID_ADDRESS: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);

/** An enhanced status code, not a part of an IP address. */
const STATUS = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;
/** A status that says nothing but that it is an error. */
const UNSPECIFIC = /^[245]\.0\.0$/;

/** The first specific enhanced status code in the texts, or else an unspecific one; null if there is none. */
export function enhancedStatus(...texts: readonly unknown[]): string | null {
  const found = texts.flatMap((text) =>
    typeof text === 'string' ? (STATUS.exec(text.slice(0, 1_000))?.[0] ?? []) : [],
  );
  return found.find((status) => !UNSPECIFIC.test(status)) ?? found[0] ?? null;
}

/** The facts that a report gives about a bounce. */
interface Bounce {
  /** Texts with an enhanced status code, the most reliable first. */
  readonly texts: readonly unknown[];
  /**
   * The reporter's own decision on the address, which no status changes; null if it made none, or one that is not about
   * the address.
   */
  readonly isInvalid?: boolean | null;
  /** The reporter's decision if no text has a specific status; by default the bounce is not permanent. */
  readonly otherwise?: boolean;
}

/**
 * Whether a bounce is permanent, so that the address is suppressed. The same rule for reports of mail servers, replies
 * in a session and the feedback of every provider (docs/specification.md, "Feedback").
 */
export function isPermanentBounce({ texts, isInvalid = null, otherwise = false }: Bounce): boolean {
  if (isInvalid !== null) return isInvalid;
  const status = enhancedStatus(...texts);
  return status === null || UNSPECIFIC.test(status) ? otherwise : INVALID_ADDRESS.has(status);
}

/**
 * Subtypes of bounces of Amazon SES, and of Resend, which sends through it: the address is on a suppression list of
 * theirs.
 */
export const SUPPRESSED: ReadonlySet<string> = new Set(['Suppressed', 'OnAccountSuppressionList']);
