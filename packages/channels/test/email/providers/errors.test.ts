import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { ProviderClient } from '../../../src/email/provider.ts';
import { createClient, toSend } from './support/send.ts';
import { answered, type StandIn, startStandIn } from './support/stand-ins.ts';

type Meaning = 'message' | 'recipient' | 'account' | 'later' | 'unknown';
type Case = readonly [status: number, body: unknown, meaning: Meaning, headers?: Record<string, string>];

const RESULTS = {
  recipient: {
    status: 'failed',
    bounces: [{ email: 'ada@example.com', permanent: true }],
    error: { code: 'email_permanent_rejection', retryable: false },
  },
  message: { status: 'failed', error: { code: 'email_permanent_rejection', retryable: false } },
  account: { status: 'failed', error: { code: 'email_auth_failed', retryable: true } },
  later: { status: 'failed', error: { code: 'email_temporary_rejection', retryable: true } },
  unknown: { status: 'unknown', error: { code: 'email_outcome_unknown', retryable: true } },
};

const ses = (status: number, type: string, meaning: Meaning, message = 'No'): Case => [
  status,
  { message },
  meaning,
  { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazonaws.sesv2/` },
];
const sendgrid = (status: number, meaning: Meaning, field: string | null = null): Case => [
  status,
  { errors: [{ message: 'No', field, help: null }] },
  meaning,
];
const postmark = (status: number, ErrorCode: number, meaning: Meaning): Case => [
  status,
  { ErrorCode, Message: 'No' },
  meaning,
];
const resend = (statusCode: number, name: string, meaning: Meaning): Case => [
  statusCode,
  { statusCode, name, message: 'No' },
  meaning,
];
/** What no documentation lists, and any gateway may answer. */
const GATEWAYS: readonly Case[] = [
  [301, '', 'account', { location: 'https://example.com' }],
  [408, '', 'later'],
  [500, '<html>', 'unknown'],
  [502, 'Bad gateway', 'unknown'],
  [504, '', 'unknown'],
  [400, '{"name":"constructor","code":"__proto__","ErrorCode":1e999}', 'message'],
];

/** The documented errors of each service. */
const TABLES: Readonly<Record<string, readonly Case[]>> = {
  ses: [
    ses(400, 'MessageRejected', 'message'),
    ses(
      400,
      'MessageRejected',
      'account',
      'Email address is not verified. The following identities failed …',
    ),
    ses(400, 'BadRequestException', 'message'),
    ses(400, 'AccountSuspendedException', 'account'),
    ses(400, 'MailFromDomainNotVerifiedException', 'account'),
    ses(400, 'SendingPausedException', 'account'),
    ses(404, 'NotFoundException', 'account'),
    ses(400, 'LimitExceededException', 'later'),
    ses(429, 'TooManyRequestsException', 'later'),
    ses(400, 'ThrottlingException', 'later'),
    ses(400, 'RequestExpired', 'later'),
    ses(400, 'IncompleteSignature', 'account'),
    ses(403, 'InvalidClientTokenId', 'account'),
    ses(403, 'SignatureDoesNotMatch', 'account'),
    ses(403, 'AccessDeniedException', 'account'),
    ses(403, 'AnErrorOfTheFuture', 'account'),
    ses(500, 'InternalFailure', 'unknown'),
    ses(503, 'ServiceUnavailable', 'later'),
    [503, '', 'unknown'],
    [400, { __type: 'MessageRejected', message: { toString: 0, valueOf: 0 } }, 'message'],
    [400, { __type: 'com.amazonaws.sesv2#SendingPausedException' }, 'account'],
  ],
  sendgrid: [
    sendgrid(400, 'message', 'personalizations.0.to'),
    sendgrid(401, 'account'),
    sendgrid(403, 'account', 'from'),
    sendgrid(404, 'account'),
    sendgrid(413, 'message'),
    sendgrid(429, 'later'),
    sendgrid(500, 'unknown'),
    sendgrid(503, 'later'),
  ],
  postmark: [
    postmark(422, 1235, 'account'),
    postmark(422, 1236, 'account'),
    [422, { ErrorCode: 300, Message: "Invalid 'From' address: not a verified sender signature." }, 'account'],
    postmark(401, 10, 'account'),
    postmark(422, 300, 'message'),
    postmark(422, 400, 'account'),
    postmark(422, 401, 'account'),
    postmark(422, 403, 'message'),
    postmark(422, 405, 'account'),
    postmark(422, 406, 'recipient'),
    postmark(422, 411, 'message'),
    postmark(422, 412, 'account'),
    postmark(422, 413, 'account'),
    postmark(503, 100, 'later'),
    [413, '', 'message'],
    [429, { ErrorCode: 429, Message: 'Rate limit exceeded' }, 'later'],
    [500, '', 'unknown'],
    [503, '', 'later'],
  ],
  mailgun: [
    [420, { message: 'The domain may not send' }, 'account'],
    [400, { message: "'to' parameter is not a valid address" }, 'message'],
    [401, 'Forbidden', 'account'],
    [402, { message: 'Request failed' }, 'account'],
    [403, { message: 'Domain is not allowed to send' }, 'account'],
    [404, { message: 'Domain not found: mg.example.com' }, 'account'],
    [413, '', 'message'],
    [429, { message: 'Too many requests' }, 'later'],
    [500, { message: 'Internal Server Error' }, 'unknown'],
  ],
  resend: [
    resend(422, 'invalid_from_address', 'account'),
    resend(400, 'validation_error', 'message'),
    resend(400, 'invalid_idempotency_key', 'message'),
    resend(401, 'missing_api_key', 'account'),
    resend(401, 'restricted_api_key', 'account'),
    resend(403, 'invalid_api_key', 'account'),
    resend(403, 'validation_error', 'account'),
    resend(404, 'not_found', 'account'),
    resend(405, 'method_not_allowed', 'account'),
    resend(409, 'invalid_idempotent_request', 'unknown'),
    resend(409, 'concurrent_idempotent_requests', 'unknown'),
    resend(422, 'invalid_attachment', 'message'),
    resend(422, 'missing_required_field', 'message'),
    resend(422, 'invalid_access', 'account'),
    resend(429, 'daily_quota_exceeded', 'later'),
    resend(429, 'rate_limit_exceeded', 'later'),
    resend(451, 'security_error', 'message'),
    resend(500, 'application_error', 'unknown'),
    resend(500, 'internal_server_error', 'unknown'),
  ],
};

describe.each(Object.keys(TABLES))('the errors of %s', (provider) => {
  let standIn: StandIn;
  let client: ProviderClient;
  beforeAll(async () => {
    standIn = await startStandIn(provider);
    client = await createClient(provider);
  });
  afterAll(async () => {
    client.close();
    await standIn.close();
  });
  const fail = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    standIn.answer(answered(status, headers, body));
    return client.send(toSend(provider, standIn.url));
  };

  const cases = [...(TABLES[provider] ?? []), ...GATEWAYS].map(([status, body, meaning, headers = {}]) => ({
    ...{ status, meaning, headers, answer: typeof body === 'string' ? body : JSON.stringify(body) },
  }));
  it.each(cases)('$status $answer $headers: $meaning', async ({ status, answer, meaning, headers }) => {
    const result = await fail(status, answer, headers);
    expect(result).toMatchObject({ ...RESULTS[meaning], response: { statusCode: status } });
    expect(result).not.toHaveProperty('providerMessageId');
  });

  it('say when to try again', async () => {
    expect(await fail(429, '', { 'retry-after': '17' })).toMatchObject({ error: { retryAfterMs: 17_000 } });
    expect(await fail(429, '')).toMatchObject({ error: { retryAfterMs: null } });
    expect(await fail(400, '', { 'retry-after': '17' })).toMatchObject({ error: { retryAfterMs: null } });
  });
});

it("SendGrid's reset time of the limit becomes the retry delay", async () => {
  const standIn = await startStandIn('sendgrid');
  const client = await createClient('sendgrid');
  standIn.answer(answered(429, { 'x-ratelimit-reset': '1000060' }, ''));
  const email = { ...toSend('sendgrid', standIn.url), nowMs: () => 1_000_000_000 };
  expect(await client.send(email)).toMatchObject({ error: { retryAfterMs: 60_000 } });
  client.close();
  await standIn.close();
});
