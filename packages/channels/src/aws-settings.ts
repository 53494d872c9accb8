import type { ChannelIssue, ChannelRule } from '@postrider/domain';
import type { ServiceApi } from './http/service-client.ts';

/** What channels to Amazon SES and SQS have in common: an access key, or the access of the installation instead of one. */

/** A region such as `eu-central-1` or `us-gov-west-1`: it becomes part of a host name. */
export const AWS_REGION = {
  pattern: /^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/,
  must: 'must be an AWS region, such as eu-central-1',
};
export const ACCESS_KEY_ID = {
  pattern: /^\w{16,128}$/,
  must: 'must be an access key id: 16 to 128 letters and digits',
};
/** The setting `aws_role`, whose value {@link AWS_KEY_OR_ROLE} checks. */
export const AWS_ROLE = {
  maxLength: 600,
  description:
    'Instead of an access key, the access to AWS of the workers, which need `AWS_KEYLESS`: `worker` for their own role, or the ARN of a ' +
    'role that they assume with the id of the environment as external id. Only operators with `keyless:write` can set it, and change the ' +
    'config of a channel that has it.',
};
/** The worker's own role, or the ARN of an IAM role, possibly with a path. */
const ROLE = /^(?:worker|arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512})$/;

type Errors = ServiceApi<never>['errors'];

/** The table of the meanings of errors, from lists of their names. */
export const errorsByMeaning = (
  names: Readonly<Partial<Record<Errors[string], readonly string[]>>>,
): Errors =>
  Object.fromEntries(
    Object.entries(names).flatMap(([meaning, list]) => list.map((name) => [name, meaning as Errors[string]])),
  );

/**
 * The errors of both APIs.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/CommonErrors.html
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html
 */
export const AWS_ERRORS = errorsByMeaning({
  account: [
    'AccessDeniedException',
    'ExpiredTokenException',
    'IncompleteSignature',
    'InvalidClientTokenId',
    'MissingAuthenticationToken',
    'NotAuthorized',
    'OptInRequired',
    'SignatureDoesNotMatch',
    'UnrecognizedClientException',
  ],
  later: ['RequestExpired', 'ServiceUnavailable', 'ThrottlingException'],
  unknown: ['InternalFailure'],
});

interface KeyOrRole {
  readonly access_key_id?: string | null;
  readonly aws_role?: string | null;
}

function issuesOf({ access_key_id: id, aws_role: role }: KeyOrRole): ChannelIssue[] {
  if (role && !ROLE.test(role)) {
    const message = 'must be worker, or the ARN of an IAM role';
    return [{ path: '/aws_role', code: 'invalid_format', message }];
  }
  if (id && role) {
    return [
      { path: '/aws_role', code: 'invalid_value', message: 'must be left out, or null, with access_key_id' },
    ];
  }
  return id || role
    ? []
    : [{ path: '/access_key_id', code: 'required', message: 'is required, or aws_role instead of it' }];
}

/** A config has either an access key or a role. */
export const AWS_KEY_OR_ROLE: ChannelRule<KeyOrRole> = {
  reads: ['/access_key_id', '/aws_role'],
  issuesOf,
};
