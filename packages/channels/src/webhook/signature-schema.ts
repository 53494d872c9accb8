import { type ChannelIssue, isWebhookSecret } from '@postrider/domain';
import { type JsonSchema, nullable, PATTERNS, record, secretText, text } from '../schema.ts';
import { DEFAULT_PREFIX, isReservedHeader, signatureHeaderNames } from './request.ts';
import { HEADER_NAME } from './url-rules.ts';

const SIGNATURE_TYPES = ['standard', 'github', 'stripe', 'custom', 'none'] as const;
type SignatureType = (typeof SIGNATURE_TYPES)[number];

const ALGORITHMS = ['sha256', 'sha512', 'sha1'] as const;
const ENCODINGS = ['hex', 'base64'] as const;

/** How requests are signed, as stored: without the secret. */
export interface WebhookSignature {
  type: SignatureType;
  /** `standard`: the beginning of its three headers. */
  header_prefix?: string;
  /** The header of the signature, for the other types. */
  header?: string;
  algorithm?: (typeof ALGORITHMS)[number];
  encoding?: (typeof ENCODINGS)[number];
  /** What `custom` signs. */
  signed_text?: string;
  /** The value of the header. */
  value?: string;
  timestamp_header?: string;
  id_header?: string;
}

const MAX_TEXT = 256;

const line = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: MAX_TEXT,
  // A header value must not contain line breaks.
  pattern: PATTERNS.printableAscii.pattern,
  description,
});
const oneOfNull = (values: readonly string[], description: string): JsonSchema => ({
  type: ['string', 'null'],
  enum: [...values, null],
  description,
});

/** Schema of `signature` in a request. */
export const SIGNATURE_SCHEMA: JsonSchema = {
  type: ['object', 'null'],
  required: ['type'],
  additionalProperties: false,
  default: null,
  description: 'How each request is signed; null is `standard`.',
  properties: {
    type: {
      type: 'string',
      enum: [...SIGNATURE_TYPES],
      description:
        '`standard`: Standard Webhooks. `github`: `X-Hub-Signature-256`. `stripe`: `Stripe-Signature`. `custom`: an HMAC in a ' +
        'header of your choice. All but `standard` use the whole secret as text, with `whsec_`.',
    },
    secret: secretText(
      'Signs instead of the generated secret, so that receivers keep theirs. Stored encrypted and never shown; a PATCH that ' +
        'leaves it out keeps it, null removes it. `standard` needs one of the form `whsec_` and base64.',
      { maxLength: 512 },
    ),
    header_prefix: {
      ...line(
        'For `standard`: `svix-` sends `svix-id`, `svix-timestamp` and `svix-signature`. By default `webhook-`.',
      ),
      pattern: PATTERNS.headerPrefix.pattern,
      maxLength: 32,
    },
    header: line('The header of the signature, for `github`, `stripe` and `custom`. `custom` needs one.'),
    algorithm: oneOfNull(ALGORITHMS, 'For `custom`: the hash of the HMAC; by default `sha256`.'),
    encoding: oneOfNull(ENCODINGS, 'For `custom`: by default `hex`.'),
    signed_text: line(
      'For `custom`: what is signed, with `{body}` and, if wanted, `{id}` and `{timestamp}`; by default `{body}`.',
    ),
    value: line(
      'For `custom`: the value of the header, such as `t={timestamp},v1={signature}`; by default `{signature}`.',
    ),
    timestamp_header: line('For `custom`: a header with the time in seconds.'),
    id_header: line('For `custom`: a header with the id of the delivery.'),
  },
};

export const PRESENTED_SIGNATURE = nullable({
  // Each type has its own fields.
  ...record('How each request is signed.', {
    type: text(`One of ${SIGNATURE_TYPES.map((type) => `\`${type}\``).join(', ')}.`),
    header_prefix: text('The beginning of the headers of `standard`.'),
    header: text('The header of the signature.'),
    algorithm: text('The hash of the HMAC.'),
    encoding: text('`hex` or `base64`.'),
    signed_text: text('What is signed.'),
    value: text('The value of the header.'),
    timestamp_header: text('A header with the time in seconds.'),
    id_header: text('A header with the id of the delivery.'),
  }),
  required: ['type'],
});

/** The fields that each type may have, besides `type` and `secret`. */
const FIELDS: Readonly<Record<SignatureType, readonly string[]>> = {
  standard: ['header_prefix'],
  github: ['header'],
  stripe: ['header'],
  custom: ['header', 'algorithm', 'encoding', 'signed_text', 'value', 'timestamp_header', 'id_header'],
  none: [],
};

/** Headers with a meaning of their own for servers and proxies, besides the reserved ones. */
const FOREIGN_HEADER =
  /^(?:authorization|cookie|set-cookie|forwarded|x-forwarded-.*|x-real-ip|content-.*|accept(?:-.*)?|user-agent|date|range|if-.*|trace.*|ce-.*)$/;

/**
 * Issues of `signature` in a request that fulfils the schema, together with the channel's other headers. Paths start at the
 * config.
 */
export function signatureIssues({
  signature,
  headers = {},
  secret_headers = {},
  signatures,
}: {
  readonly signature?: WebhookSignature | null;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly secret_headers?: Readonly<Record<string, unknown>>;
  readonly signatures?: readonly string[];
}): ChannelIssue[] {
  if (!signature) return [];
  const { type } = signature;
  const issue = (
    field: string,
    message: string,
    code: ChannelIssue['code'] = 'invalid_value',
  ): ChannelIssue => ({ path: `/signature${field}`, code, message });
  const known = ['type', 'secret', ...FIELDS[type]];
  const issues = Object.entries(signature)
    .filter(([name, value]) => value !== null && value !== undefined && !known.includes(name))
    .map(([name]) => issue(`/${name}`, `does not belong to ${type}: set it to null`));
  if (type === 'custom' && !signature.header)
    issues.push(issue('/header', 'is required for custom', 'required'));
  if (signature.signed_text && !signature.signed_text.includes('{body}'))
    issues.push(issue('/signed_text', 'must contain {body}'));
  if (signature.value && !signature.value.includes('{signature}'))
    issues.push(issue('/value', 'must contain {signature}'));
  if (type !== 'standard' && signatures?.includes('v1a'))
    issues.push(issue('/type', 'must be standard while signatures has v1a'));
  const taken = new Set(
    [...Object.keys(headers), ...Object.keys(secret_headers)].map((name) => name.toLowerCase()),
  );
  const isDefault = type === 'standard' && (signature.header_prefix ?? DEFAULT_PREFIX) === DEFAULT_PREFIX;
  for (const field of ['header_prefix', 'header', 'timestamp_header', 'id_header'] as const) {
    if (!signature[field] || isDefault) continue;
    const names =
      field === 'header_prefix' ? signatureHeaderNames(signature) : [signature[field].toLowerCase()];
    if (names.some((name) => !HEADER_NAME.test(name)))
      issues.push(issue(`/${field}`, 'is not the name of a header', 'invalid_format'));
    else if (names.some((name) => isReservedHeader(name) || FOREIGN_HEADER.test(name)))
      issues.push(issue(`/${field}`, 'is a reserved header'));
    else if (names.some((name) => taken.has(name)))
      issues.push(issue(`/${field}`, 'is already a header of the channel', 'duplicate'));
    for (const name of names) taken.add(name);
  }
  return issues;
}

/** Issues of a given secret. The paths are set by the caller. */
export function givenSecretIssues(secret: string, { type }: WebhookSignature): ChannelIssue[] {
  const isValid = type === 'standard' ? isWebhookSecret(secret) : /^[\x21-\x7e]+$/.test(secret);
  const must = type === 'standard' ? 'must be whsec_ and base64' : 'must be visible ASCII';
  return isValid ? [] : [{ path: '', code: 'invalid_format', message: must }];
}

/** The stored form of `signature`: without the secret and null fields. */
export function storedSignature(signature: WebhookSignature): WebhookSignature {
  const known = ['type', ...FIELDS[signature.type]];
  return Object.fromEntries(
    Object.entries(signature).filter(([name, value]) => known.includes(name) && value !== null),
  ) as unknown as WebhookSignature;
}
