import {
  type ChannelIssue,
  type ChannelRule,
  type JsonObject,
  KIND_FACTS,
  timeoutSchema,
} from '@postrider/domain';
import {
  AWS_ACCESS_KEY_ID,
  AWS_KEY_OR_ROLE,
  AWS_ROLE_SCHEMA,
  MUST_BE_ACCESS_KEY_ID,
} from '../aws-settings.ts';
import { PATHS_DESCRIPTION, pathIssues } from '../broker/settings.ts';
import { AWS_REGION, parseUrl, serviceUrlProblem } from '../host.ts';
import { type JsonSchema, nullable, record, secretText, text, wholeNumber } from '../schema.ts';

/** The stored config of an SQS channel: docs/destinations.md. It has a key, whose secret is stored separately, or a role. */
export type SqsConfig = {
  queue_url: string;
  region?: string;
  access_key_id?: string;
  aws_role?: string;
  message_group_id?: string;
  timeout_ms?: number;
};

const { defaultTimeoutMs: SQS_TIMEOUT_MS } = KIND_FACTS.sqs;

const MAX_URL_LENGTH = 2_048;
const MAX_SECRET_LENGTH = 256;
/** The longest session token, in characters. AWS documents no limit; tokens have hundreds to a few thousand. */
const MAX_SESSION_TOKEN_LENGTH = 8_192;
const MAX_GROUP_LENGTH = 512;
/** The public host name of a queue contains its region. */
const PUBLIC_HOST =
  /^(?:sqs|queue)(?:-fips)?\.([a-z0-9-]+)\.(?:amazonaws\.com(?:\.cn)?|api\.aws|api\.amazonwebservices\.com\.cn)$/;

/** Whether a queue keeps the order of each message group. */
export const isFifo = ({ queue_url: url }: Pick<SqsConfig, 'queue_url'>): boolean => url.endsWith('.fifo');

const regionInUrl = (url: string): string | null =>
  PUBLIC_HOST.exec(parseUrl(url)?.hostname ?? '')?.[1] ?? null;
/** The region of a config: its own field, or the one in the URL. */
export const regionOf = ({ queue_url, region }: SqsConfig): string => region ?? regionInUrl(queue_url) ?? '';
/** The origin of a queue's requests: scheme, host and port. */
export const originOfQueue = (url: string): string => parseUrl(url)?.origin ?? url;

export const SQS_CONFIG_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['queue_url'],
  additionalProperties: false,
  description: 'The queue to which events are sent.',
  properties: {
    queue_url: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_URL_LENGTH,
      description:
        'The URL of the queue: https, or http on this machine. That of a FIFO queue ends with `.fifo`. Private addresses are ' +
        'refused; those of names at the attempt, with `sqs_connection_failed`.',
    },
    region: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 64,
      default: null,
      description: 'The AWS region; that of the URL when left out, where the URL is public.',
    },
    access_key_id: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 128,
      default: null,
      description:
        'The access key of an IAM user that may call `sqs:SendMessage` on the queue; required unless `aws_role` is given.',
    },
    secret_access_key: secretText(
      'Its secret. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given again when ' +
        '`access_key_id` or the host of `queue_url` changes.',
      { maxLength: MAX_SECRET_LENGTH, isNullable: false },
    ),
    session_token: secretText(
      'The session token of a temporary access key. Stored encrypted and never shown. In a PATCH: if left out, it stays, and is ' +
        'removed when `access_key_id` or the host of `queue_url` changes. Replace it before it expires.',
      { maxLength: MAX_SESSION_TOKEN_LENGTH },
    ),
    aws_role: AWS_ROLE_SCHEMA,
    message_group_id: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_GROUP_LENGTH,
      default: null,
      description:
        'The message group. FIFO queues keep the order in a group; when left out it is the ordering key, or the run where there ' +
        `is none. A standard queue gets a group only if this is given, for fair queues. ${PATHS_DESCRIPTION}`,
    },
    timeout_ms: timeoutSchema(SQS_TIMEOUT_MS),
  },
};

function queueUrlIssues(value: string): ChannelIssue[] {
  const issue = (message: string): ChannelIssue[] => [
    { path: '/queue_url', code: 'invalid_format', message },
  ];
  const problem = serviceUrlProblem(value);
  if (problem !== null) return issue(problem);
  if (/[\s\\\p{Cc}]/u.test(value)) return issue('must have no spaces and backslashes');
  return (parseUrl(value)?.pathname.length ?? 0) > 1
    ? []
    : issue('must be the URL of a queue, such as https://sqs.eu-central-1.amazonaws.com/123456789012/orders');
}

function regionIssues({ queue_url, region }: Pick<SqsConfig, 'queue_url' | 'region'>): ChannelIssue[] {
  const inUrl = regionInUrl(queue_url);
  const given = region || inUrl;
  if (!given)
    return [{ path: '/region', code: 'required', message: 'is required: the URL does not name it' }];
  if (!AWS_REGION.test(given)) {
    return [
      { path: '/region', code: 'invalid_format', message: 'must be an AWS region, such as eu-central-1' },
    ];
  }
  return inUrl === null || inUrl === given
    ? []
    : [{ path: '/region', code: 'invalid_value', message: `must be ${inUrl}, as in the URL, or left out` }];
}

/** Rules on a config that fulfils {@link SQS_CONFIG_SCHEMA}. Paths start at the config. */
export const SQS_CONFIG_RULES: readonly ChannelRule<SqsConfig & { session_token?: string | null }>[] = [
  {
    reads: ['/session_token'],
    issuesOf: ({ session_token: token }) =>
      !token || /^[!-~]+$/.test(token)
        ? []
        : [{ path: '/session_token', code: 'invalid_format', message: 'must be visible ASCII characters' }],
  },
  { reads: ['/queue_url'], issuesOf: ({ queue_url }) => queueUrlIssues(queue_url) },
  { reads: ['/queue_url', '/region'], issuesOf: regionIssues },
  {
    reads: ['/access_key_id'],
    issuesOf: ({ access_key_id: id }) =>
      !id || AWS_ACCESS_KEY_ID.test(id)
        ? []
        : [{ path: '/access_key_id', code: 'invalid_format', message: MUST_BE_ACCESS_KEY_ID }],
  },
  AWS_KEY_OR_ROLE,
  {
    reads: ['/message_group_id'],
    issuesOf: ({ message_group_id: group }) => (group ? pathIssues('/message_group_id', group) : []),
  },
];

/** The stored form of a valid config: without the secret and without omitted fields, with its region. */
export function toStoredSqsConfig(config: JsonObject): SqsConfig {
  const { queue_url, region, access_key_id, aws_role, message_group_id, timeout_ms } =
    config as Partial<SqsConfig>;
  return {
    queue_url: String(queue_url),
    ...(region ? { region } : {}),
    ...(access_key_id ? { access_key_id } : {}),
    ...(aws_role ? { aws_role } : {}),
    ...(message_group_id ? { message_group_id } : {}),
    ...(timeout_ms ? { timeout_ms } : {}),
  };
}

/** Parses a stored config. Returns null if it is not the config of an SQS channel. */
export function readSqsConfig(config: JsonObject): SqsConfig | null {
  const { queue_url, access_key_id, aws_role } = config;
  if (typeof queue_url !== 'string' || typeof (access_key_id ?? aws_role) !== 'string') return null;
  if (!/^https?:$/.test(parseUrl(queue_url)?.protocol ?? '')) return null;
  const stored = toStoredSqsConfig(config);
  return regionOf(stored) === '' ? null : stored;
}

export const PRESENTED_SQS_CONFIG = record('The queue to which events are sent.', {
  queue_url: text('The URL of the queue.'),
  region: text('The AWS region.'),
  access_key_id: nullable(text('The access key; null with `aws_role`.')),
  aws_role: nullable(text('The access to AWS of the installation that it uses, if any.')),
  message_group_id: nullable(text('The message group, before values are filled in.')),
  timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
});

export function presentSqsConfig(config: SqsConfig): JsonObject {
  const { queue_url, access_key_id = null, aws_role = null } = config;
  const { message_group_id = null, timeout_ms = SQS_TIMEOUT_MS } = config;
  return { queue_url, region: regionOf(config), access_key_id, aws_role, message_group_id, timeout_ms };
}
