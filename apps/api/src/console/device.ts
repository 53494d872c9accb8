import { randomInt } from 'node:crypto';
import {
  DEVICE_LOGIN_S,
  DEVICE_POLL_S,
  type DeviceLoginOutcome,
  decideDeviceLogin,
  findDeviceLogin,
  redeemDeviceLogin,
  startDeviceLogin,
  type UnboundDatabase,
  type UsableSession,
} from '@postrider/db';
import {
  type BucketRate,
  formatTime,
  type IdSource,
  invalid,
  invalidValue,
  refuse,
  reject,
  sha256,
} from '@postrider/domain';
import { clientOf, type OriginLookup } from '@postrider/listener';
import type { Request, Router } from 'express';
import type { ActorOf } from '../admin/authenticate.ts';
import { jsonBytes, noContent, ok, type Success } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import { mountResponders } from '../http/routes.ts';
import { type BodyOf, closedObject } from '../openapi/schema.ts';
import { compileBody } from '../validation/body.ts';
import { receiveForm, receiveJson } from './body.ts';
import { createSecret } from './cookie.ts';
import type { SignInLimits } from './limits.ts';
import { requireConsoleUrl } from './oidc/router.ts';
import type { ConsoleSessions } from './sessions.ts';

/** RFC 8628 section 6.1: 20 letters that spell no words. Eight of them are 34 bits; guesses are limited. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LETTERS = 8;
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Codes for one client: 30 at once, then one in ten seconds. */
const CODES: BucketRate = { requestsPerSecond: 0.1, burst: 30 };
const MAX_CLIENT = 64;

interface DeviceDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly sessions: ConsoleSessions;
  readonly limits: SignInLimits;
  readonly originOf: OriginLookup;
  readonly actorOf: ActorOf;
  readonly publicUrl: string | null;
}

/** A response of RFC 8628, which is not the error object of the API. */
const oauthError = (error: string): Success => ({ status: 400, body: jsonBytes({ error }) });

const OUTCOMES: Readonly<Record<Exclude<DeviceLoginOutcome['outcome'], 'issued'>, string>> = {
  unknown: 'invalid_grant',
  expired: 'expired_token',
  denied: 'access_denied',
  slow_down: 'slow_down',
  pending: 'authorization_pending',
};

const createUserCode = () =>
  Array.from({ length: USER_CODE_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
const shown = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;
/** The hash of a code as a person types it: in any case, with or without the hyphen. */
const hashOfUserCode = (typed: string) => sha256(`user ${typed.toUpperCase().replaceAll(/[^A-Z]/g, '')}`);
const hashOfDeviceCode = (code: string) => sha256(`device ${code}`);
const printable = (text: string) =>
  text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, MAX_CLIENT);

const CODE_SCHEMA = closedObject(['user_code'], {
  user_code: { type: 'string', minLength: 1, maxLength: 64 },
  approve: { type: 'boolean' },
});
const validate = compileBody<BodyOf<typeof CODE_SCHEMA>>(CODE_SCHEMA);

// Not 401, which would end the session on the page.
const NO_SUCH_CODE = invalid([
  invalidValue(
    '/user_code',
    'is not a code that is waiting for approval: it may be mistyped, used or expired',
  ),
]);

const OF_A_TOKEN = refuse('forbidden', {
  message: 'The link of a token opened this session: sign in yourself to approve a command line.',
});

/**
 * `/console/device`: the sign-in of the command line (RFC 8628). It gets a token when a person, signed in to the console in any
 * way, has approved its code on a page that shows what asks. See docs/console.md, "The command line".
 */
export function createDeviceRouter(deps: DeviceDeps): Router {
  const { db, newId, sessions, limits, originOf, actorOf } = deps;

  async function begin(http: Request): Promise<Success> {
    const { address, isSecure } = originOf(http);
    const base = requireConsoleUrl(http, isSecure, deps.publicUrl);
    const form = await receiveForm(http);
    await limits.take(`device codes of ${clientOf(address)}`, CODES, 'This address asks for too many codes');
    const deviceCode = createSecret();
    const client = printable(form.get('client_name') ?? '') || 'a command line';
    const login = { client, address, deviceHash: hashOfDeviceCode(deviceCode) };
    let userCode = createUserCode();
    while (!(await startDeviceLogin({ db, newId }, { ...login, userHash: hashOfUserCode(userCode) })))
      userCode = createUserCode();
    const verification = `${base}/#/device`;
    return ok({
      device_code: deviceCode,
      user_code: shown(userCode),
      verification_uri: verification,
      verification_uri_complete: `${verification}?code=${shown(userCode)}`,
      expires_in: DEVICE_LOGIN_S,
      interval: DEVICE_POLL_S,
    });
  }

  async function poll(http: Request, context: RequestContext): Promise<Success> {
    const form = await receiveForm(http);
    if (form.get('grant_type') !== GRANT) return oauthError('unsupported_grant_type');
    const attempt = await limits.begin(clientOf(originOf(http).address), 'device codes');
    const actor = actorOf(http, context, { name: 'postrider login', kind: 'service', credentialId: null });
    const deviceHash = hashOfDeviceCode(form.get('device_code') ?? '');
    const redeemed = await redeemDeviceLogin({ db, newId, actor }, deviceHash);
    if (redeemed.outcome !== 'unknown') await attempt.giveBack();
    if (redeemed.outcome !== 'issued') return oauthError(OUTCOMES[redeemed.outcome]);
    const { token, secret } = redeemed;
    const expiresAt = token.expiresAt?.getTime() ?? 0;
    return ok({
      access_token: secret,
      token_type: 'Bearer',
      expires_in: Math.max(0, Math.floor((expiresAt - token.createdAt.getTime()) / 1_000)),
    });
  }

  /** Runs `work` with the code that a signed-in operator has typed. Only codes that do not exist count as failures. */
  async function withCode(
    http: Request,
    work: (
      typed: { readonly userHash: Buffer; readonly approve: boolean | undefined },
      session: UsableSession,
    ) => Promise<Success | null>,
  ): Promise<Success> {
    const session = await sessions.authenticate(http, 'operator');
    const { user_code: code, approve } = await receiveJson(http, validate);
    const account = `user codes by ${session.operatorId ?? 'admin token'}`;
    const attempt = await limits.begin(clientOf(originOf(http).address), account);
    const reply = await work({ userHash: hashOfUserCode(code), approve }, session);
    if (!reply) reject(NO_SUCH_CODE);
    await attempt.giveBack();
    return reply;
  }

  const look = (http: Request) =>
    withCode(http, async ({ userHash }) => {
      const login = await findDeviceLogin(db, userHash);
      if (!login) return null;
      const { client, address, createdAt } = login;
      return ok({ client, address, created_at: formatTime(createdAt) });
    });

  const decide = (http: Request) =>
    withCode(http, async ({ userHash, approve = false }, { id }) => {
      const session = await db.consoleSession.findUnique({
        where: { id },
        select: { operatorTokenId: true },
      });
      if (approve && session?.operatorTokenId) reject(OF_A_TOKEN);
      const decided = await decideDeviceLogin(db, { userHash, sessionId: id, isApproved: approve });
      return decided ? noContent() : null;
    });

  const post = (path: string, respond: (http: Request, context: RequestContext) => Promise<Success>) =>
    ({ path: `/console/device${path}`, method: 'post', respond }) as const;
  return mountResponders([
    post('', begin),
    post('/token', poll),
    post('/request', look),
    post('/decision', decide),
  ]);
}
