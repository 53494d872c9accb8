import { verify, X509Certificate } from 'node:crypto';
import { type JsonObject, LRUCache } from '@postrider/domain';
import type { FetchDocument } from '../../feedback.ts';

const REQUIRED = [
  ...(['Type', 'MessageId', 'TopicArn', 'Message', 'Timestamp'] as const),
  ...(['SignatureVersion', 'Signature', 'SigningCertURL'] as const),
];
const OPTIONAL = ['Subject', 'Token', 'SubscribeURL'] as const;

/** The documented fields of an SNS message. */
export type SnsMessage = Readonly<Record<(typeof REQUIRED)[number], string>> &
  Readonly<Partial<Record<(typeof OPTIONAL)[number], string>>>;

const CONFIRMATIONS = new Set(['SubscriptionConfirmation', 'UnsubscribeConfirmation']);
const DIGESTS: Readonly<Record<string, string>> = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' };
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[0-9A-Za-z-]{1,100}\.pem$/;
const COMMON_NAME = /^CN=sns(?:\.[a-z0-9-]+)?\.amazonaws\.com(?:\.cn)?$/m;
/** The most certificates in the cache. Each region has one, and rarely a new one. */
const MAX_CERTIFICATES = 32;
/** A signature by an RSA key of 2,048 to 4,096 bits, in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{342,683}={0,2}$/;

/** Parses a message. Null if a field is missing or has another type. */
export function readSnsMessage(body: JsonObject): SnsMessage | null {
  const isText = (name: string) => typeof body[name] === 'string';
  if (!REQUIRED.every(isText)) return null;
  if (!OPTIONAL.every((name) => body[name] === undefined || body[name] === null || isText(name))) return null;
  const names = [...REQUIRED, ...OPTIONAL].filter(isText);
  return Object.fromEntries(names.map((name) => [name, body[name]])) as unknown as SnsMessage;
}

/** The SNS host in the region of the topic that the operator configured. Certificates come from this host only. */
export function snsHostOf(topicArn: string): string | null {
  const [, partition, , region] = topicArn.split(':');
  if (!region || !/^[a-z0-9-]+$/.test(region)) return null;
  return `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
}

/** Parses an https URL on this host, with the default port and without credentials. Null for any other text. */
export function urlOn(host: string, text: string): URL | null {
  try {
    const url = new URL(text);
    const isPlain = url.username === '' && url.password === '' && url.port === '';
    return url.protocol === 'https:' && url.hostname === host && isPlain ? url : null;
  } catch {
    return null;
  }
}

/** The text that SNS signs: names and values on separate lines, ordered by name. */
function signedText(message: SnsMessage): string {
  const names = CONFIRMATIONS.has(message.Type)
    ? (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const)
    : (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const);
  return names
    .flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]))
    .join('');
}

function readCertificate(pem: string | null): X509Certificate | null {
  try {
    const certificate = new X509Certificate(pem ?? '');
    return COMMON_NAME.test(certificate.subject) ? certificate : null;
  } catch {
    return null;
  }
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, nowMs: number) =>
  Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);

/** `unavailable`: the certificate cannot be fetched now. */
type SnsAuthenticity = 'genuine' | 'forged' | 'unavailable';

/**
 * Creates the verifier of SNS messages. It fetches the certificate over https from the SNS host of the topic's region
 * only, so that the TLS connection vouches for it, and caches it. Concurrent messages share one fetch, and a message
 * whose other fields cannot be genuine causes none.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export function createSnsVerifier() {
  const certificates = new LRUCache<string, X509Certificate, FetchDocument>({
    max: MAX_CERTIFICATES,
    fetchMethod: async (href, _stale, { context: fetchDocument }) =>
      readCertificate(await fetchDocument(new URL(href))) ?? undefined,
    // A fetch that is evicted from the cache still serves the messages that wait for it.
    ignoreFetchAbort: true,
  });

  return async function verifySns(
    message: SnsMessage,
    { nowMs, fetchDocument }: { nowMs: number; fetchDocument: FetchDocument },
  ): Promise<SnsAuthenticity> {
    const digest = Object.hasOwn(DIGESTS, message.SignatureVersion)
      ? DIGESTS[message.SignatureVersion]
      : undefined;
    const host = snsHostOf(message.TopicArn);
    const url = host === null ? null : urlOn(host, message.SigningCertURL);
    if (!digest || !url || !CERTIFICATE_PATH.test(url.pathname) || url.search !== '') return 'forged';
    if (!SIGNATURE.test(message.Signature)) return 'forged';
    const certificate = await certificates.fetch(url.href, { context: fetchDocument });
    if (!certificate) return 'unavailable';
    if (!isValidAt(certificate, nowMs)) return 'forged';
    const signature = Buffer.from(message.Signature, 'base64');
    const isGenuine = verify(digest, Buffer.from(signedText(message)), certificate.publicKey, signature);
    return isGenuine ? 'genuine' : 'forged';
  };
}
