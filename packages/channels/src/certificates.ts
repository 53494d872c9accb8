import { constants, createPrivateKey, X509Certificate } from 'node:crypto';
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls';
import type { ChannelIssue, ChannelRule } from '@postrider/domain';
import type { WantedCredential } from './bound-credentials.ts';
import { optionalText } from './schema.ts';
import type { Settings } from './settings.ts';

/**
 * The options of all TLS connections to servers. Without Diffie-Hellman over finite fields, whose numbers the server chooses: with
 * 10,000 bits, each handshake blocks the event loop for half a second. Without renegotiation, by which a server could repeat the
 * handshake of a connection as often as it likes.
 */
export const TLS_OPTIONS = {
  minVersion: 'TLSv1.2',
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** Handshakes of one connection and session tickets (RFC 8446 section 4.6.1), together. Usual servers send one or two tickets. */
const MAX_HANDSHAKE_EVENTS = 32;

/**
 * Ends a TLS connection whose server sends session tickets, or requests for another handshake of TLS 1.2, without end. They are no
 * part of a response, whose bytes are limited, and 64 KiB of them take 15 ms of the event loop, or 0.3 s. OpenSSL refuses such a
 * request without an error, and Node.js reports each as a handshake. Returns the socket.
 */
export function limitHandshakes(socket: TLSSocket): TLSSocket {
  let events = 0;
  const count = () => {
    events += 1;
    if (events <= MAX_HANDSHAKE_EVENTS || socket.destroyed) return;
    const error = new Error('The server sent too many handshake messages.');
    socket.destroy(Object.assign(error, { code: 'POSTRIDER_TOO_MANY_HANDSHAKES' }));
  };
  return socket.on('session', count).on('secure', count);
}

/** The certificates of a TLS connection to a server. The private key is a credential. */
export type Certificates = {
  ca?: string;
  certificate?: string;
  /** Read from the certificate, so that a query can find certificates that expire. ISO 8601. */
  certificate_expires_at?: string;
};

/** The fields of a stored config that a connection to a broker by TLS needs. */
export type BrokerTls = Certificates & { tls: boolean };

/** The name of the credential for the key of `certificate`. */
export const PRIVATE_KEY = 'private_key';

/** Enough for several authorities, or for a chain. */
const MAX_PEM_LENGTH = 32_768;
const MAX_CERTIFICATES = 10;
/**
 * Larger RSA keys block the event loop for too long: a signature with 16,384 bits takes as long as 64 with 4,096.
 */
const MAX_KEY_BITS = 4_096;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g;

const certificatesIn = (pemText: string): string[] => pemText.match(CERTIFICATE) ?? [];

/** The first certificate in a PEM text; null if none can be read, or its end is no time. */
export function firstCertificate(pemText: string): X509Certificate | null {
  const [first] = certificatesIn(pemText);
  if (first === undefined) return null;
  try {
    const certificate = new X509Certificate(first);
    return Number.isNaN(Date.parse(certificate.validTo)) ? null : certificate;
  } catch {
    return null;
  }
}

/** When the first certificate in a PEM text expires, ISO 8601; undefined if none can be read. */
function certificateEnd(pemText: string): string | undefined {
  const shown = firstCertificate(pemText);
  return shown ? new Date(shown.validTo).toISOString() : undefined;
}

function pemIssues(path: string, pemText: string | null | undefined): ChannelIssue[] {
  if (typeof pemText !== 'string') return [];
  const found = certificatesIn(pemText);
  const isValid = found.length > 0 && found.every((certificate) => firstCertificate(certificate) !== null);
  if (!isValid) {
    return [
      { path, code: 'invalid_format', message: 'must be certificates in PEM (-----BEGIN CERTIFICATE-----)' },
    ];
  }
  if (found.length <= MAX_CERTIFICATES) return [];
  return [{ path, code: 'too_long', message: `must not have more than ${MAX_CERTIFICATES} certificates` }];
}

/** Issues of a private key for a certificate. */
export function privateKeyIssues(key: string, certificate: string): ChannelIssue[] {
  const issue = (message: string): ChannelIssue[] => [
    { path: `/${PRIVATE_KEY}`, code: 'invalid_value', message },
  ];
  const shown = firstCertificate(certificate);
  if (!shown) return [];
  try {
    const parsed = createPrivateKey(key);
    const { modulusLength = 0 } = parsed.asymmetricKeyDetails ?? {};
    if (modulusLength > MAX_KEY_BITS) return issue(`must have at most ${MAX_KEY_BITS} bits`);
    return shown.checkPrivateKey(parsed) ? [] : issue('must be the key of the certificate');
  } catch {
    return issue('must be a private key in PEM without a passphrase');
  }
}

const pem = (description: string) => optionalText(MAX_PEM_LENGTH, description);

/** `certificate_expires_at` is accepted in requests so that a presented config can be sent back. */
export const CERTIFICATE_SETTINGS = {
  ca: {
    schema: pem(
      "Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones.",
    ),
    shown: 'Certificates of the authorities, in PEM.',
  },
  certificate: {
    schema: pem('The client certificate (PEM), with its chain, for servers that ask for one.'),
    shown: 'The client certificate, in PEM.',
  },
  private_key: {
    schema: {
      ...pem(
        'Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate.',
      ),
      writeOnly: true,
    },
  },
  certificate_expires_at: {
    schema: { type: ['string', 'null'], description: 'Ignored.' },
    shown: 'When the certificate expires.',
    storedOf: (_, { certificate }) =>
      typeof certificate === 'string' ? certificateEnd(certificate) : undefined,
  },
} as const satisfies Settings;

/** @param broker what the channel connects to, such as `a broker`; @param shown the description of `tls` in a response */
export const brokerTlsSettings = (broker: string, description: string, shown: string) => ({
  tls: {
    schema: { type: 'boolean', default: true, description },
    shown,
    storesDefault: true,
    option: { flags: '--no-tls', description: `without TLS, for ${broker} on this machine` },
  },
  ...CERTIFICATE_SETTINGS,
});

/** `ca` and `certificate` must be certificates in PEM. @param at where a config has them */
export const certificateIssues = ({ ca, certificate }: Partial<Certificates>, at = '') => [
  ...pemIssues(`${at}/ca`, ca),
  ...pemIssues(`${at}/certificate`, certificate),
];

/** `ca` and `certificate` must be certificates in PEM, and are only allowed with TLS. A key needs its certificate. */
export const BROKER_TLS_RULE: ChannelRule<Partial<BrokerTls> & { private_key?: string | null }> = {
  reads: ['/ca', '/certificate', '/private_key', '/tls'],
  issuesOf({ ca, certificate, private_key, tls = true }) {
    if (!tls) {
      return Object.entries({ ca, certificate, private_key })
        .filter(([, value]) => value)
        .map(([name]) => ({ path: `/${name}`, code: 'invalid_value', message: 'must be null without TLS' }));
    }
    const issues = certificateIssues({ ca, certificate });
    if (!private_key || certificate) return issues;
    return [...issues, { path: '/certificate', code: 'required', message: 'is required with a private key' }];
  },
};

/**
 * The key of the client certificate, which a config with one requires.
 * @param at where a request has it
 */
export const wantedKey = ({ certificate }: Certificates, at = [PRIVATE_KEY]): WantedCredential[] =>
  certificate === undefined
    ? []
    : [
        {
          name: at.join('/'),
          at,
          boundTo: { certificate },
          label: 'private key',
          issuesOf: (key) => privateKeyIssues(key, certificate),
        },
      ];

/** The options of a TLS socket, in PEM. */
export interface TlsIdentity {
  /** The authorities for the server's certificate; they replace the public ones. */
  readonly ca?: string;
  /** The client certificate with its private key. */
  readonly cert?: string;
  readonly key?: string;
}

/** Null if the key of the certificate is missing. */
export function tlsIdentityOf(
  { ca, certificate }: Certificates,
  { [PRIVATE_KEY]: key }: { readonly [PRIVATE_KEY]?: string | undefined },
): TlsIdentity | null {
  if (certificate !== undefined && key === undefined) return null;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
  };
}
