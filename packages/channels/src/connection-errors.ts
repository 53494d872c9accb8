/** The code of a failure to connect to an address that the policy does not allow. */
export const ADDRESS_BLOCKED = 'POSTRIDER_ADDRESS_BLOCKED';

/** A host name that cannot be connected to; code and message survive wrapping by the HTTP client. */
export class AddressError extends Error {
  readonly code: typeof ADDRESS_BLOCKED | 'POSTRIDER_DNS_FAILED';

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
/** OpenSSL's reason in a message. */
const OPENSSL_REASON = /SSL routines:[^:]*:([^:]*)/;
/** Explanations of Node's codes and OpenSSL's reasons. Alerts come from the server. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED/, 'The certificate of the server has expired.'],
  [/CERT_NOT_YET_VALID/, 'The certificate of the server is not valid yet.'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'The certificate of the server is for another host name.'],
  [/SELF_SIGNED_CERT/, 'The certificate of the server is from an authority that is not trusted.'],
  [
    /UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    'The certificate of the server is from an authority that is not trusted, or intermediate certificates are missing.',
  ],
  [/alert protocol version|unsupported protocol/, 'The server does not support TLS 1.2 or newer.'],
  [/alert certificate required/, 'The server requires a client certificate.'],
  [
    /alert (?:(?:bad|unsupported) certificate|certificate \w+|unknown ca)/,
    'The server refused the client certificate.',
  ],
  [
    /alert handshake failure/,
    'The server refused the handshake, for example because there is no client certificate.',
  ],
  [/HPE_HEADER_OVERFLOW/, 'The headers of the response are too large.'],
  [/HPE_/, 'The response is not valid HTTP.'],
];
/** Errors of this service, whose messages contain nothing from the remote end. */
const OWN_CODE = /^POSTRIDER_/;

interface ConnectionError extends NodeJS.ErrnoException {
  /** Set by nodemailer: the reply of the server, which is also in the message. */
  readonly response?: unknown;
  /** Set by nodemailer. */
  readonly timeoutType?: string;
}

/** Clients wrap an error once or twice. */
const MAX_CAUSES = 4;

/**
 * Explains a failed connection in one sentence if its code alone does not: an address or name that cannot be used, a proxy that
 * opens no tunnel, TLS that fails, a response that is not HTTP, or an SMTP server without a greeting. Null for any other error.
 */
export function explainConnection(error: unknown): string | null {
  let at = error;
  for (let count = 0; count < MAX_CAUSES && at instanceof Error; count += 1) {
    const { code, message, cause, response, timeoutType } = at as ConnectionError;
    if (OWN_CODE.test(code ?? '')) return message;
    // A server chooses its reply, so it must not choose the explanation.
    const ownText = response === undefined ? message : '';
    if (NOT_TLS.test(ownText)) return 'The server does not speak TLS on this port.';
    const facts = `${code} ${OPENSSL_REASON.exec(ownText)?.[1]}`;
    const known = EXPLANATIONS.find(([pattern]) => pattern.test(facts));
    if (known) return known[1];
    if (timeoutType === 'GREETING_TIMEOUT') return NO_GREETING;
    at = cause;
  }
  return null;
}

/**
 * Whether the server refused the client certificate, or the lack of one. With TLS 1.3 it does so after the client has
 * completed the handshake (RFC 8446 section 4.4.2.4), and reads nothing that the client has sent since.
 */
export const isClientCertificateRefused = (code: string): boolean =>
  /^ERR_SSL_\w+_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA)$/.test(code);
