import { type ChannelIssue, type JsonObject, KIND_FACTS } from '@postrider/domain';
import { ACCESS_KEY_ID, AWS_KEY_OR_ROLE, AWS_REGION, AWS_ROLE } from '../aws-settings.ts';
import { PATHS_DESCRIPTION, pathIssues } from '../broker/settings.ts';
import { parseUrl, serviceUrlProblem } from '../host.ts';
import { optionalText, requiredText, secretText, text } from '../schema.ts';
import { checked, defineSettings, matching, secretOption, timeoutSetting } from '../settings.ts';

/** The stored config of an SQS channel: docs/destinations.md. It has a key, whose secret is stored separately, or a role. */
export type SqsConfig = {
  queue_url: string;
  region?: string;
  access_key_id?: string;
  aws_role?: string;
  message_group_id?: string;
  timeout_ms?: number;
};

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

function queueUrlProblem(value: string): string | null {
  const problem = serviceUrlProblem(value);
  if (problem !== null) return problem;
  if (/[\s\\\p{Cc}]/u.test(value)) return 'must not contain spaces or backslashes';
  return (parseUrl(value)?.pathname.length ?? 0) > 1
    ? null
    : 'must be the URL of a queue, such as https://sqs.eu-central-1.amazonaws.com/123456789012/orders';
}

function regionIssues({ queue_url, region }: Pick<SqsConfig, 'queue_url' | 'region'>): ChannelIssue[] {
  const inUrl = regionInUrl(queue_url);
  const given = region || inUrl;
  if (!given)
    return [{ path: '/region', code: 'required', message: 'is required: the URL does not name it' }];
  const issues = matching(AWS_REGION.pattern, AWS_REGION.must)('/region', given);
  if (issues.length > 0 || inUrl === null || inUrl === given) return issues;
  return [
    { path: '/region', code: 'invalid_value', message: `must be ${inUrl}, as in the URL, or left out` },
  ];
}

export const SQS_SETTINGS = defineSettings<SqsConfig>(
  {
    queue_url: {
      isRequired: true,
      schema: requiredText(
        MAX_URL_LENGTH,
        'The URL of the queue: https, or http on this machine. That of a FIFO queue ends with `.fifo`. Private ' +
          'addresses are refused; if a name resolves to one, the attempt fails with `sqs_connection_failed`.',
      ),
      shown: 'The URL of the queue.',
      issuesOf: checked(queueUrlProblem),
      option: { flags: '--queue-url <url>', description: 'the URL of the queue' },
    },
    region: {
      schema: optionalText(
        64,
        'The AWS region. If left out, it is taken from the URL, which must then be a public one.',
      ),
      shown: text('The AWS region.'),
      shownOf: regionOf,
      option: { flags: '--region <region>', description: 'the AWS region, if the URL does not contain it' },
    },
    access_key_id: {
      schema: optionalText(
        128,
        'The access key of an IAM user that may call `sqs:SendMessage` on the queue; required unless `aws_role` is given.',
      ),
      shown: 'The access key; null with `aws_role`.',
      issuesOf: matching(ACCESS_KEY_ID.pattern, ACCESS_KEY_ID.must),
      option: { flags: '--access-key-id <id>', description: 'the access key of an IAM user' },
    },
    secret_access_key: {
      schema: secretText(
        'Its secret. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given again when ' +
          '`access_key_id` or the host of `queue_url` changes.',
        { maxLength: MAX_SECRET_LENGTH, isNullable: false },
      ),
      option: secretOption('secret-access-key', 'its secret', 'AWS_SECRET_ACCESS_KEY'),
    },
    session_token: {
      schema: secretText(
        'The session token of a temporary access key. Stored encrypted and never shown. In a PATCH: if left out, it stays, and is ' +
          'removed when `access_key_id` or the host of `queue_url` changes. Replace it before it expires.',
        { maxLength: MAX_SESSION_TOKEN_LENGTH },
      ),
      issuesOf: matching(/^[!-~]+$/, 'must be visible ASCII characters'),
      option: secretOption('session-token', 'the session token of a temporary key', 'AWS_SESSION_TOKEN'),
    },
    aws_role: {
      schema: optionalText(AWS_ROLE.maxLength, AWS_ROLE.description),
      shown: 'The access to AWS of the installation that it uses, if any.',
      option: {
        flags: '--aws-role <role>',
        description:
          'instead of an access key: worker for the role of the workers, or the ARN of a role that they assume',
      },
    },
    message_group_id: {
      schema: optionalText(
        MAX_GROUP_LENGTH,
        'The message group. FIFO queues keep the order in a group; when left out it is the ordering key, or the run where there ' +
          `is none. A standard queue gets a group only if this is given, for fair queues. ${PATHS_DESCRIPTION}`,
      ),
      shown: 'The message group, before values are filled in.',
      issuesOf: pathIssues,
      option: {
        flags: '--message-group-id <text>',
        description:
          'the group, such as "{{ recipient.id }}"; for a FIFO queue by default the ordering key or the run',
      },
    },
    timeout_ms: timeoutSetting(KIND_FACTS.sqs),
  },
  {
    description: 'The queue to which events are sent.',
    rules: [{ reads: ['/queue_url', '/region'], issuesOf: regionIssues }, AWS_KEY_OR_ROLE],
  },
);

/** Parses a stored config. Returns null if it is not the config of an SQS channel. */
export function readSqsConfig(config: JsonObject): SqsConfig | null {
  const stored = SQS_SETTINGS.read(config);
  if (!stored || (stored.access_key_id ?? stored.aws_role) === undefined) return null;
  if (!/^https?:$/.test(parseUrl(stored.queue_url)?.protocol ?? '')) return null;
  return regionOf(stored) === '' ? null : stored;
}
