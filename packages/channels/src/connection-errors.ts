/** A host name that cannot be connected to; code and message survive wrapping by the HTTP client. */
export class AddressError extends Error {
  readonly code: 'POSTRIDER_ADDRESS_BLOCKED' | 'POSTRIDER_DNS_FAILED';

  constructor(code: AddressError['code'], message: string) {
    super(message);
    this.name = 'AddressError';
    this.code = code;
  }
}

/** Why the address policy refuses an address: what the operator can do about it. */
export const refusedAddress = (address: string): string =>
  `The address ${address} is not public, and EGRESS_ALLOW_CIDRS does not allow it.`;

/** What OpenSSL says if the first bytes from the server are not TLS, such as an HTTP response or an SMTP greeting. */
const NOT_TLS = /wrong version number|packet length too long|unknown protocol/i;
/** A server that expects TLS waits for the client, so an SMTP client without TLS waits for its greeting. */
const NO_GREETING =
  'The server sent no greeting. One that expects TLS from the start, as on port 465, sends none without `secure: true`.';
/** Errors of this service, whose messages contain nothing from the remote end. */
const OWN_CODE = /^POSTRIDER_/;
/** Clients wrap an error once or twice. */
const MAX_CAUSES = 4;

/**
 * Explains a failed connection in one sentence if its code alone does not: an address or name that cannot be used, a proxy that
 * opens no tunnel, TLS to a port without it, or an SMTP server without a greeting. Null for any other error.
 */
export function explainConnection(error: unknown): string | null {
  let at = error;
  for (let count = 0; count < MAX_CAUSES && at instanceof Error; count += 1) {
    const { code, message, cause, timeoutType } = at as NodeJS.ErrnoException & { timeoutType?: string };
    if (OWN_CODE.test(code ?? '')) return message;
    if (NOT_TLS.test(message)) return 'The server does not speak TLS on this port.';
    // Set by nodemailer.
    if (timeoutType === 'GREETING_TIMEOUT') return NO_GREETING;
    at = cause;
  }
  return null;
}
