import { type ChannelIssue, isWebhookSecret } from '@postrider/domain';
import { type JsonSchema, PATTERNS, secretText } from '../schema.ts';
import { settingByType } from '../settings.ts';
import type { WebhookConfig } from './config.ts';
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
const textWith =
  (wanted: string, { once = false } = {}) =>
  (path: string, text: string): ChannelIssue[] => {
    const times = text.split(wanted).length - 1;
    if (once ? times === 1 : times > 0) return [];
    return [{ path, code: 'invalid_value', message: `must contain ${wanted}${once ? ' once' : ''}` }];
  };
const CUSTOM = ['custom'];

/** The settings of how each request is signed. */
export const SIGNATURE_SETTING = settingByType(
  'How each request is signed; null is `standard`.',
  'How each request is signed.',
  {
    schema: {
      type: 'string',
      enum: [...SIGNATURE_TYPES],
      description:
        '`standard`: Standard Webhooks. `github`: `X-Hub-Signature-256`. `stripe`: `Stripe-Signature`. `custom`: an HMAC in a ' +
        'header of your choice. All but `standard` use the whole secret as text, with `whsec_`.',
    },
    shown: `One of ${SIGNATURE_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
  },
  {
    secret: {
      of: SIGNATURE_TYPES,
      schema: secretText(
        'Signs instead of the generated secret, so that receivers keep theirs. Stored encrypted and never shown; a PATCH that ' +
          'leaves it out keeps it, null removes it. `standard` needs one of the form `whsec_` and base64.',
        { maxLength: 512 },
      ),
    },
    header_prefix: {
      of: ['standard'],
      schema: {
        ...line(
          'For `standard`: `svix-` sends `svix-id`, `svix-timestamp` and `svix-signature`. By default `webhook-`.',
        ),
        pattern: PATTERNS.headerPrefix.pattern,
        maxLength: 32,
      },
      shown: 'The beginning of the headers of `standard`.',
    },
    header: {
      of: ['github', 'stripe', 'custom'],
      requiredFor: CUSTOM,
      schema: line('The header of the signature, for `github`, `stripe` and `custom`. `custom` needs one.'),
      shown: 'The header of the signature.',
    },
    algorithm: {
      of: CUSTOM,
      schema: oneOfNull(ALGORITHMS, 'For `custom`: the hash of the HMAC; by default `sha256`.'),
      shown: 'The hash of the HMAC.',
    },
    encoding: {
      of: CUSTOM,
      schema: oneOfNull(ENCODINGS, 'For `custom`: by default `hex`.'),
      shown: '`hex` or `base64`.',
    },
    signed_text: {
      of: CUSTOM,
      schema: line(
        'For `custom`: what is signed, with `{body}` and, if wanted, `{id}` and `{timestamp}`; by default `{body}`.',
      ),
      shown: 'What is signed.',
      // Signing a body of megabytes forty times would block the process.
      issuesOf: textWith('{body}', { once: true }),
    },
    value: {
      of: CUSTOM,
      schema: line(
        'For `custom`: the value of the header, such as `t={timestamp},v1={signature}`; by default `{signature}`.',
      ),
      shown: 'The value of the header.',
      issuesOf: textWith('{signature}'),
    },
    timestamp_header: {
      of: CUSTOM,
      schema: line('For `custom`: a header with the time in seconds.'),
      shown: 'A header with the time in seconds.',
    },
    id_header: {
      of: CUSTOM,
      schema: line('For `custom`: a header with the id of the delivery.'),
      shown: 'A header with the id of the delivery.',
    },
  },
);

/** Headers with a meaning of their own for servers and proxies, besides the reserved ones. */
const FOREIGN_HEADER =
  /^(?:authorization|cookie|set-cookie|forwarded|x-forwarded-.*|x-real-ip|content-.*|accept(?:-.*)?|user-agent|date|range|if-.*|trace.*|ce-.*)$/;

/** Issues of `signature` together with the channel's other headers. Paths start at the config. */
export function signatureIssues({
  signature,
  headers = {},
  secret_headers = {},
  signatures,
}: Pick<WebhookConfig, 'headers' | 'secret_headers' | 'signatures'> & {
  readonly signature?: WebhookSignature | null;
}): ChannelIssue[] {
  if (!signature) return [];
  const { type } = signature;
  const issues: ChannelIssue[] = [];
  const add = (field: string, message: string, code: ChannelIssue['code'] = 'invalid_value') =>
    issues.push({ path: `/signature/${field}`, code, message });
  if (type !== 'standard' && signatures?.includes('v1a'))
    add('type', 'must be standard while signatures has v1a');
  const taken = new Set(
    [...Object.keys(headers), ...Object.keys(secret_headers)].map((name) => name.toLowerCase()),
  );
  const isDefault = type === 'standard' && (signature.header_prefix ?? DEFAULT_PREFIX) === DEFAULT_PREFIX;
  for (const field of ['header_prefix', 'header', 'timestamp_header', 'id_header'] as const) {
    if (!signature[field] || isDefault) continue;
    const names =
      field === 'header_prefix' ? signatureHeaderNames(signature) : [signature[field].toLowerCase()];
    if (names.some((name) => !HEADER_NAME.test(name)))
      add(field, 'is not the name of a header', 'invalid_format');
    else if (names.some((name) => isReservedHeader(name) || FOREIGN_HEADER.test(name)))
      add(field, 'is a reserved header');
    else if (names.some((name) => taken.has(name)))
      add(field, 'is already a header of the channel', 'duplicate');
    for (const name of names) taken.add(name);
  }
  return issues;
}

/** Issues of a given secret. The paths are set by the caller. */
export function givenSecretIssues(secret: string, { type }: WebhookSignature): ChannelIssue[] {
  const isValid = type === 'standard' ? isWebhookSecret(secret) : /^[\x21-\x7e]+$/.test(secret);
  const must = type === 'standard' ? 'must be whsec_ followed by base64' : 'must be visible ASCII';
  return isValid ? [] : [{ path: '', code: 'invalid_format', message: must }];
}
