import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@postrider/domain';
import {
  type Answer,
  hang,
  type MailServer,
  type Receiver,
  startMailServer,
  startReceiver,
  status,
} from '@postrider/rig';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@postrider/testing';
import type { EmailContent } from '../../src/email/index.ts';
import type { Sender } from '../../src/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed } from '../support/delivery.ts';

const USER = 'shop@example.com';
const CLIENT_ID = '8f7c2d9e-1b3a-4c5d-9e8f-0a1b2c3d4e5f';
const CLIENT_SECRET = `Q~${randomBytes(24).toString('base64url')}+/=`;
const REFRESH_TOKEN = `1//${randomBytes(72).toString('base64url')}`;
const random = (bytes: number) => randomBytes(bytes).toString('base64url');

/** A service with mail servers that take access tokens, as it documents its token endpoint. */
interface Service {
  readonly scope?: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** The form of a request for a token. */
  readonly form: Readonly<Record<string, string>>;
  readonly createToken: () => string;
  readonly answer: JsonObject;
  readonly refusal: { readonly code: number; readonly body: JsonObject };
  /** Whether its mail server refuses a token with a challenge. */
  readonly challenges: boolean;
}

const CLIENT = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
const SCOPE = 'https://outlook.office365.com/.default';
const SERVICES: Readonly<Record<'Microsoft 365' | 'Google', Service>> = {
  'Microsoft 365': {
    scope: SCOPE,
    credentials: { client_secret: CLIENT_SECRET },
    form: { grant_type: 'client_credentials', scope: SCOPE, ...CLIENT },
    createToken: () => `eyJ${random(90)}.eyJ${random(900)}.${random(256)}`,
    answer: { token_type: 'Bearer', expires_in: 3_599, ext_expires_in: 3_599 },
    refusal: {
      code: 401,
      body: {
        error: 'invalid_client',
        error_description: 'AADSTS7000215: Invalid client secret provided.',
        error_codes: [7000215],
      },
    },
    challenges: false,
  },
  Google: {
    credentials: { client_secret: CLIENT_SECRET, refresh_token: REFRESH_TOKEN },
    form: { grant_type: 'refresh_token', refresh_token: REFRESH_TOKEN, ...CLIENT },
    createToken: () => `ya29.${random(160)}`,
    answer: { expires_in: 3_599, scope: 'https://mail.google.com/', token_type: 'Bearer' },
    refusal: {
      code: 400,
      body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    },
    challenges: true,
  },
};
type Name = keyof typeof SERVICES;
const NAMES = Object.keys(SERVICES) as Name[];

interface Login {
  readonly user: string;
  readonly token: string;
}

let receiver: Receiver;
let servers: Record<Name, MailServer>;
let withoutLogin: MailServer;
let channel: Sender<EmailContent>;
/** The tokens that the mail servers take. */
const valid = new Set<string>();
const logins: Login[] = [];

const startServer = (name: Name) =>
  startMailServer({
    tokens: {
      accepts(user, token) {
        logins.push({ user, token });
        return user === USER && valid.has(token);
      },
      challenges: SERVICES[name].challenges,
    },
  });

beforeAll(async () => {
  const [microsoft, google, open] = await Promise.all([
    startServer('Microsoft 365'),
    startServer('Google'),
    startMailServer(),
  ]);
  servers = { 'Microsoft 365': microsoft, Google: google };
  withoutLogin = open;
  receiver = await startReceiver();
  channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
});
afterEach(() => {
  channel.close();
  logins.length = 0;
  for (const { mails } of [...Object.values(servers), withoutLogin]) mails.length = 0;
});
afterAll(async () => {
  await Promise.all([...Object.values(servers), withoutLogin, receiver].map((one) => one.close()));
});

let endpoints = 0;

/** A token endpoint of its own for a test. The mail servers refuse the first `revoked` tokens. */
function openEndpoint(name: Name, { revoked = 0, answer }: { revoked?: number; answer?: Answer } = {}) {
  const service = SERVICES[name];
  endpoints += 1;
  const path = `/token-${endpoints}`;
  const issued: string[] = [];
  const give: Answer = (response, nth) => {
    const token = service.createToken();
    issued.push(token);
    if (nth > revoked) valid.add(token);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...service.answer, access_token: token }));
  };
  return {
    url: receiver.endpoint(path, answer ?? give),
    issued,
    forms: () =>
      receiver.received(path).map(({ body }) => Object.fromEntries(new URLSearchParams(body).entries())),
  };
}

const refuse = ({ refusal: { code, body } }: Service): Answer =>
  status(code, { 'content-type': 'application/json' }, JSON.stringify(body));

/** The SMTP settings of a sender at a service. */
const settingsOf = (name: Name, tokenUrl: string) => {
  const { scope } = SERVICES[name];
  const oauth2 = { token_url: tokenUrl, client_id: CLIENT_ID, ...(scope ? { scope } : {}) };
  return { port: servers[name].port, username: USER, oauth2 };
};

const credentialsOf = (name: Name, sender = 'smtp') =>
  Object.fromEntries(
    Object.entries(SERVICES[name].credentials).map(([field, value]) => [
      `senders/${sender}/oauth2/${field}`,
      value,
    ]),
  );

/** A mail through a channel of its own at a service. */
const mailAt = (name: Name, tokenUrl: string) =>
  emailDelivery(settingsOf(name, tokenUrl), { channelId: tokenUrl, credentials: credentialsOf(name) });

describe.each(NAMES)('a sender of %s', (name) => {
  const service = SERVICES[name];

  it('logs in with one access token for concurrent mails, fetched as the service documents it', async () => {
    const endpoint = openEndpoint(name);
    const mail = mailAt(name, endpoint.url);
    const results = await Promise.all(Array.from({ length: 4 }, () => channel.send(mail)));
    results.push(await channel.send(mail));
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('succeeded'));
    expect(servers[name].mails).toHaveLength(5);
    expect(endpoint.forms()).toEqual([service.form]);
    const [token] = endpoint.issued;
    expect(new Set(logins.map((login) => JSON.stringify(login)))).toEqual(
      new Set([JSON.stringify({ user: USER, token })]),
    );
  });

  it('gets a new token once when the server refuses one that was revoked early', async () => {
    const endpoint = openEndpoint(name, { revoked: 1 });
    expect(await channel.send(mailAt(name, endpoint.url))).toMatchObject({ status: 'succeeded' });
    expect(logins.map(({ token }) => token)).toEqual(endpoint.issued);
    expect(endpoint.issued).toHaveLength(2);
    expect(servers[name].mails).toHaveLength(1);
  });

  it('fails with the reply of the server, after one new token, if that is refused too', async () => {
    const endpoint = openEndpoint(name, { revoked: 2 });
    expect(await channel.send(mailAt(name, endpoint.url))).toMatchObject({
      status: 'failed',
      response: { statusCode: 535 },
      error: {
        code: 'smtp_auth_failed',
        retryable: true,
        message: expect.stringContaining('535 to AUTH XOAUTH2'),
      },
    });
    expect(logins.map(({ token }) => token)).toEqual(endpoint.issued);
    expect(endpoint.issued).toHaveLength(2);
  });

  it('sends nothing if the token endpoint refuses, asks once for many mails, and shows no secret', async () => {
    const endpoint = openEndpoint(name, { answer: refuse(service) });
    const mail = mailAt(name, endpoint.url);
    const [result] = await Promise.all([channel.send(mail), channel.send(mail)]);
    expect(result).toMatchObject({
      status: 'failed',
      error: {
        code: 'smtp_auth_failed',
        retryable: true,
        message: expect.stringContaining(`HTTP ${service.refusal.code}, ${service.refusal.body.error}`),
      },
    });
    expect(result.error?.about).toBeUndefined();
    expect(endpoint.forms()).toHaveLength(1);
    expect(logins).toEqual([]);
    for (const secret of Object.values(service.credentials)) {
      expect(JSON.stringify(result)).not.toContain(secret);
    }
  });

  it('is followed by the next sender if it gets no token', async () => {
    const endpoint = openEndpoint(name, { answer: refuse(service) });
    const { smtp: _smtp, ...config } = mailAt(name, endpoint.url).channel.config;
    const delivery = emailDelivery({ port: 1 }, { credentials: credentialsOf(name, 'main') });
    const senders: JsonObject[] = [
      { name: 'main', provider: 'smtp', smtp: { host: '127.0.0.1', ...settingsOf(name, endpoint.url) } },
      { name: 'backup', provider: 'smtp', smtp: { host: '127.0.0.1', port: withoutLogin.port }, weight: 0 },
    ];
    expect(
      await channel.send({
        ...delivery,
        channel: { ...delivery.channel, id: endpoint.url, config: { ...config, senders } },
      }),
    ).toMatchObject({
      status: 'succeeded',
      account: 'backup',
      tried: [{ sender: 'main', outcome: 'failed', code: 'smtp_auth_failed' }],
    });
    expect(withoutLogin.mails).toHaveLength(1);
  });
});

describe('access tokens of a mail server', () => {
  it('are not shared by the senders of a channel', async () => {
    const [one, other] = [openEndpoint('Google', { revoked: 2 }), openEndpoint('Google')];
    const delivery = emailDelivery(
      { port: 1 },
      { credentials: { ...credentialsOf('Google', 'one'), ...credentialsOf('Google', 'other') } },
    );
    const { smtp: _smtp, ...config } = delivery.channel.config;
    const senderAt = (sender: string, url: string, weight: number) => ({
      ...{ name: sender, provider: 'smtp', weight },
      smtp: { host: '127.0.0.1', ...settingsOf('Google', url) },
    });
    const senders = [senderAt('one', one.url, 1), senderAt('other', other.url, 0)];
    expect(
      await channel.send({
        ...delivery,
        channel: { ...delivery.channel, id: one.url, config: { ...config, senders } },
      }),
    ).toMatchObject({ status: 'succeeded', account: 'other', tried: [{ sender: 'one' }] });
    expect(logins.map(({ token }) => token)).toEqual([...one.issued, ...other.issued]);
  });

  it('are hidden if the server repeats them', async () => {
    const token = SERVICES.Google.createToken();
    const answer = status(200, {}, JSON.stringify({ ...SERVICES.Google.answer, access_token: token }));
    const login = Buffer.from(`user=${USER}\x01auth=Bearer ${token}\x01\x01`).toString('base64');
    servers.Google.fail('auth', 535, 2, `5.7.8 refused: ${token} AUTH XOAUTH2 ${login}`);
    const result = await channel.send(mailAt('Google', openEndpoint('Google', { answer }).url));
    expect(result).toMatchObject({ status: 'failed', response: { statusCode: 535 } });
    const shown = JSON.stringify(result);
    expect(shown).toContain('5.7.8 refused: [hidden]');
    expect([shown.includes(token), shown.includes(login)]).toEqual([false, false]);
  });

  it('are not fetched without the client secret', async () => {
    const endpoint = openEndpoint('Google');
    const delivery = emailDelivery(settingsOf('Google', endpoint.url), { channelId: endpoint.url });
    expect(await channel.send(delivery)).toMatchObject({
      status: 'failed',
      error: { code: 'smtp_auth_failed' },
    });
    expect([endpoint.forms(), logins]).toEqual([[], []]);
  });

  it('are fetched within the time limit of the attempt', async () => {
    const endpoint = openEndpoint('Google', { answer: hang });
    const delivery = { ...mailAt('Google', endpoint.url), timeoutMs: 50 };
    expect(await channel.send(delivery)).toMatchObject({
      status: 'failed',
      error: {
        code: 'smtp_auth_failed',
        message: expect.stringContaining('did not respond within the time limit'),
      },
    });
    expect(logins).toEqual([]);
  });
});
