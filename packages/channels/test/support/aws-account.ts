import { type ReceivedRequest, startHttpReceiver } from '@postrider/rig';
import type { AwsCredentials } from '../../src/http/aws-signature.ts';
import { isSignedForAws } from './aws.ts';

const HOUR_MS = 3_600_000;
const METADATA_TOKEN = 'a-token-of-imdsv2';
/** The identity token of a pod, which its file has. */
export const WEB_IDENTITY = 'header.payload.signature';
export const ROLE_ARN = 'arn:aws:iam::123456789012:role/postrider-orders';

type Issued = AwsCredentials & { readonly expiration: string };

export interface AwsAccount {
  readonly url: string;
  /** The parameters of each request to STS, in order. */
  readonly assumed: URLSearchParams[];
  /** Paths of the requests for the worker's own credentials, in order. */
  readonly asked: string[];
  /** An error that STS answers instead. */
  refusal: string | null;
  /** The key that a request is signed with; one that no request has if the account did not issue it. */
  keyOf(request: ReceivedRequest): AwsCredentials;
  close(): Promise<void>;
}

const xml = (action: string, { accessKeyId, secretAccessKey, sessionToken, expiration }: Issued) =>
  `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><Credentials>` +
  `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>` +
  `<SessionToken>${sessionToken}</SessionToken><Expiration>${expiration}</Expiration>` +
  `</Credentials></${action}Result></${action}Response>`;

/**
 * What a machine of an AWS account reaches: instance metadata (IMDSv2), the endpoint of containers, and STS, as their public
 * documentation describes them. STS checks signatures with AWS' own library, and trusts one role by its external id.
 */
export async function startAwsAccount(externalId: string): Promise<AwsAccount> {
  const keys = new Map<string, Issued>();
  const assumed: URLSearchParams[] = [];
  const asked: string[] = [];

  function issue(): Issued {
    const number = keys.size + 1;
    const issued = {
      accessKeyId: `ASIA${String(number).padStart(16, '0')}`,
      secretAccessKey: `secret-${number}`,
      sessionToken: `session/${number}==`,
      expiration: new Date(Date.now() + HOUR_MS).toISOString().replace(/\.\d+/, ''),
    };
    keys.set(issued.accessKeyId, issued);
    return issued;
  }

  const toJson = ({ accessKeyId, secretAccessKey, sessionToken, expiration }: Issued) =>
    JSON.stringify({
      ...{ Code: 'Success', AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey },
      ...{ Token: sessionToken, Expiration: expiration },
    });

  function keyOf({ headers }: ReceivedRequest): AwsCredentials {
    const [, id = ''] = /Credential=(\w+)\//.exec(String(headers.authorization)) ?? [];
    return keys.get(id) ?? { accessKeyId: 'none', secretAccessKey: 'none' };
  }

  async function metadata({ path, method, headers }: ReceivedRequest): Promise<string | null> {
    asked.push(path);
    if (path === '/container') return toJson(issue());
    if (path === '/latest/api/token') return method === 'PUT' ? METADATA_TOKEN : null;
    if (headers['x-aws-ec2-metadata-token'] !== METADATA_TOKEN) return null;
    const root = '/latest/meta-data/iam/security-credentials/';
    if (path === root) return 'worker';
    return path === `${root}worker` ? toJson(issue()) : null;
  }

  async function sts(request: ReceivedRequest): Promise<readonly [number, string]> {
    const parameters = new URLSearchParams(request.body);
    assumed.push(parameters);
    const refuse = (code: string) =>
      [
        403,
        `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${ROLE_ARN} is secret</Message></Error></ErrorResponse>`,
      ] as const;
    if (account.refusal !== null) return refuse(account.refusal);
    const action = parameters.get('Action') ?? '';
    if (action === 'AssumeRoleWithWebIdentity') {
      return parameters.get('WebIdentityToken') === WEB_IDENTITY
        ? [200, xml(action, issue())]
        : refuse('InvalidIdentityToken');
    }
    if (!(await isSignedForAws(request, 'sts', keyOf(request)))) return refuse('SignatureDoesNotMatch');
    const trusted = parameters.get('RoleArn') === ROLE_ARN && parameters.get('ExternalId') === externalId;
    return trusted ? [200, xml(action, issue())] : refuse('AccessDenied');
  }

  const { url, close } = await startHttpReceiver(async (request, response) => {
    if (request.path === '/') {
      const [status, body] = await sts(request);
      return response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
    }
    const found = await metadata(request);
    return response.writeHead(found === null ? 401 : 200).end(found ?? '');
  });
  const account: AwsAccount = { url, assumed, asked, refusal: null, keyOf, close };
  return account;
}
