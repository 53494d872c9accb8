import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAddressPolicy } from '@postrider/domain';
import { startHttpReceiver } from '@postrider/rig';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@postrider/testing';
import { createAwsAccess, type FetchAwsCredentials, fetchAwsCredentials } from '../../src/http/aws-access.ts';
import type { Delivery, SenderOptions } from '../../src/sender.ts';
import { createSqsSender } from '../../src/sqs/sender.ts';
import { createClient, toSend } from '../email/providers/support/send.ts';
import { AWS, isSignedForAws } from '../support/aws.ts';
import { type AwsAccount, ROLE_ARN, startAwsAccount, WEB_IDENTITY } from '../support/aws-account.ts';
import { ENVIRONMENT_ID, loopbackAllowed, webhookDelivery } from '../support/delivery.ts';
import { type SqsStandIn, startSqs } from './stand-in.ts';

const MINUTE_MS = 60_000;

const directory = mkdtempSync(join(tmpdir(), 'postrider-aws-'));
const before = { ...process.env };
let account: AwsAccount;
let queue: SqsStandIn;

beforeAll(async () => {
  account = await startAwsAccount(ENVIRONMENT_ID);
  queue = await startSqs(account.keyOf);
  writeFileSync(join(directory, 'identity'), WEB_IDENTITY);
  writeFileSync(
    join(directory, 'shared'),
    `[default]\naws_access_key_id = ${AWS.accessKeyId}\naws_secret_access_key = ${AWS.secretAccessKey}\n`,
  );
});
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_EC2_METADATA_SERVICE_ENDPOINT: account.url,
    AWS_ENDPOINT_URL_STS: account.url,
    AWS_MAX_ATTEMPTS: '1',
    AWS_CONFIG_FILE: join(directory, 'none'),
    AWS_SHARED_CREDENTIALS_FILE: join(directory, 'none'),
  });
  account.refusal = null;
  for (const list of [account.assumed, account.asked, queue.taken, queue.requests]) list.length = 0;
});
afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, before);
});
afterAll(async () => {
  await account.close();
  await queue.close();
  rmSync(directory, { recursive: true });
});

function open(options: Partial<SenderOptions> = {}) {
  const failures: unknown[] = [];
  const awsCredentials = createAwsAccess(fetchAwsCredentials, (error) => failures.push(error));
  const sender = createSqsSender({ isAddressAllowed: loopbackAllowed, awsCredentials, ...options });
  const send = (
    role = ROLE_ARN,
    { name = 'orders', ...details }: Partial<Delivery<never>> & { name?: string } = {},
  ) => {
    const made = webhookDelivery({ url: '' }, details);
    const queue_url = `${queue.url}/123456789012/${name}`;
    const config = { queue_url, region: AWS.region, aws_role: role };
    return sender.send({ ...made, channel: { ...made.channel, config } });
  };
  return { send, failures, awsCredentials };
}

const DELIVERED = { status: 'succeeded' };
const NO_KEY = { status: 'failed', error: { code: 'sqs_auth_failed', retryable: true } };

describe('a channel with a role of the operator', () => {
  it('sends with the key of the role, which the worker assumes with the environment as external id', async () => {
    expect(await open().send()).toMatchObject(DELIVERED);
    expect(Object.fromEntries(account.assumed[0] ?? [])).toMatchObject({
      RoleArn: ROLE_ARN,
      ExternalId: ENVIRONMENT_ID,
      RoleSessionName: `postrider-${ENVIRONMENT_ID}`,
    });
    expect(account.asked[0]).toBe('/latest/api/token');
    expect(queue.taken).toHaveLength(1);
  });

  it('sends mail through Amazon SES with that key, signed with its session token', async () => {
    const { awsCredentials } = open();
    const seen: boolean[] = [];
    const ses = await startHttpReceiver(async (request, response) => {
      seen.push(await isSignedForAws(request, 'ses', account.keyOf(request)));
      response.writeHead(200).end('{"MessageId":"1"}');
    });
    const sender = await createClient('ses', { awsCredentials });
    const settings = { region: AWS.region, aws_role: ROLE_ARN };
    const email = toSend('ses', ses.url, { credentials: {} });
    expect(await sender.send({ ...email, settings: { ...settings, endpoint: ses.url } })).toMatchObject(
      DELIVERED,
    );
    expect(seen).toEqual([true]);
    sender.close();
    await ses.close();
  });

  it('asks once for many messages of several channels, and again shortly before the key expires', async () => {
    const { send } = open();
    const names = ['orders', 'invoices'].flatMap((name) => Array.from({ length: 10 }, () => name));
    const sent = await Promise.all(names.map((name) => send(ROLE_ARN, { name })));
    expect(sent.map(({ status }) => status)).toEqual(names.map(() => 'succeeded'));
    expect(account.assumed).toHaveLength(1);
    await send(ROLE_ARN, { nowMs: () => Date.now() + 50 * MINUTE_MS });
    expect(account.assumed).toHaveLength(1);
    await Promise.all(names.map(() => send(ROLE_ARN, { nowMs: () => Date.now() + 56 * MINUTE_MS })));
    expect(account.assumed).toHaveLength(2);
  });

  it('uses its key while STS refuses another one; then attempts fail, are retried, and do not name the role', async () => {
    const { send, failures } = open();
    await send();
    account.refusal = 'AccessDenied';
    expect((await send(ROLE_ARN, { nowMs: () => Date.now() + 56 * MINUTE_MS })).status).toBe('succeeded');
    const late = await send(ROLE_ARN, { nowMs: () => Date.now() + 61 * MINUTE_MS });
    expect(late).toMatchObject(NO_KEY);
    expect(late.error?.message).toBe(
      'Nothing was sent: the worker got no access key from AWS (AccessDenied).',
    );
    expect(String(failures.at(-1))).toContain('is secret');
  });

  it('asks again a second after STS has refused, not for each message', async () => {
    const { send } = open();
    const now = Date.now();
    account.refusal = 'Throttling';
    for (let time = 0; time < 5; time += 1)
      expect(await send(ROLE_ARN, { nowMs: () => now })).toMatchObject(NO_KEY);
    expect(account.assumed).toHaveLength(1);
    account.refusal = null;
    expect(await send(ROLE_ARN, { nowMs: () => now + 1_000 })).toMatchObject(DELIVERED);
  });

  it('is refused by a role that trusts another environment', async () => {
    const { awsCredentials } = open();
    const access = { role: ROLE_ARN, externalId: 'env_of_another', region: AWS.region };
    await expect(awsCredentials(access, Date.now())).rejects.toThrow(/./);
  });

  it('fails and is retried on a worker that does not lend its access', async () => {
    const result = await open({ awsCredentials: undefined }).send();
    expect(result).toMatchObject(NO_KEY);
    expect(result.error?.message).toContain('AWS_KEYLESS');
    expect(account.asked).toEqual([]);
  });

  it('reaches metadata and STS at addresses that the policy refuses for its queue', async () => {
    const { send } = open({ isAddressAllowed: createAddressPolicy([]) });
    expect(await send()).toMatchObject({ status: 'failed', error: { code: 'sqs_connection_failed' } });
    expect(account.assumed).toHaveLength(1);
    expect(queue.requests).toEqual([]);
  });

  it('ends within the time limit of its attempt while AWS does not answer', async () => {
    const never: FetchAwsCredentials = () => new Promise(() => undefined);
    const { send } = open({ awsCredentials: createAwsAccess(never, () => undefined) });
    expect(await send(ROLE_ARN, { timeoutMs: 20 })).toMatchObject(NO_KEY);
    expect(await send(ROLE_ARN, { signal: AbortSignal.abort() })).toMatchObject(NO_KEY);
  });
});

describe('the own role of a worker is found', () => {
  const cases: [string, () => NodeJS.ProcessEnv][] = [
    [
      'in the environment',
      () => ({ AWS_ACCESS_KEY_ID: AWS.accessKeyId, AWS_SECRET_ACCESS_KEY: AWS.secretAccessKey }),
    ],
    ['in shared files', () => ({ AWS_SHARED_CREDENTIALS_FILE: join(directory, 'shared') })],
    [
      'by web identity, as IRSA has it',
      () => ({ AWS_WEB_IDENTITY_TOKEN_FILE: join(directory, 'identity'), AWS_ROLE_ARN: ROLE_ARN }),
    ],
    [
      'at the endpoint of containers',
      () => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${account.url}/container` }),
    ],
    ['in the instance metadata', () => ({})],
  ];
  it.each(cases)('%s', async (_where, environment) => {
    Object.assign(process.env, environment());
    const { accessKeyId } = await open().awsCredentials(
      { role: 'worker', externalId: ENVIRONMENT_ID, region: AWS.region },
      Date.now(),
    );
    expect(accessKeyId).toMatch(/^(?:ASIA|AKIA)/);
  });
});
