import { hostname, userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createPostrider, PostriderApiError, PostriderConnectionError } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { Unsuccessful, UsageError } from '../exit-codes.ts';
import { readStdin } from '../io.ts';
import { record, table } from '../output/table.ts';
import { plain } from '../output/text.ts';
import { isSameAddress, type Profile, readProfiles, writeProfile } from '../profiles.ts';
import { fetchJson, type Session, urlOf } from '../session.ts';
import { given } from '../values.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628 section 3.5: how many seconds longer to wait after `slow_down`. */
const SLOWER_S = 5;

/** What is read of the answer of `POST /console/device` (RFC 8628 section 3.2). */
interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** What is read of the answer of `GET /console/whoami`; the rest is shown. */
interface WhoAmI {
  readonly name: string;
  /** Null for a token that does not end. */
  readonly expires_at: string | null;
}

type Answer = Awaited<ReturnType<typeof fetchJson>>;

/** Sends a request to `/console` of the service. */
function request(
  session: Pick<Session, 'io' | 'url'>,
  path: string,
  { method, token, form }: { method: string; token?: string; form?: Record<string, string> },
): Promise<Answer> {
  const authorization = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
  return fetchJson(session, `console/${path}`, {
    method,
    headers: { Accept: 'application/json', ...authorization },
    ...(form && { body: new URLSearchParams(form) }),
  });
}

function successful<Body>({ response, body }: Answer): Body {
  if (!response.ok) throw new PostriderApiError(response, body, Date.now());
  return body as Body;
}

/** Asks until a person has decided, as often as the service allows. A lost connection is tried again. */
async function waitForToken(session: Session, codes: DeviceCodes): Promise<string> {
  let interval = codes.interval;
  for (let waited = 0; waited < codes.expires_in; waited += interval) {
    await delay(interval * 1_000, undefined, { signal: session.io.signal });
    const form = { grant_type: GRANT, device_code: codes.device_code };
    const answer = await request(session, 'device/token', { method: 'POST', form }).catch(
      (error: unknown) => {
        if (error instanceof PostriderConnectionError) return null;
        throw error;
      },
    );
    if (!answer || answer.response.status === 503 || answer.response.status === 429) continue;
    const { error, access_token: token } = answer.body as { error?: unknown; access_token?: string };
    if (answer.response.ok && token) return token;
    if (error === 'slow_down') interval += SLOWER_S;
    else if (error === 'access_denied') throw new Unsuccessful('The sign-in was denied.');
    else if (error === 'expired_token' || error === 'invalid_grant') break;
    else if (error !== 'authorization_pending') successful(answer);
  }
  throw new Unsuccessful('Nobody approved the sign-in in time. Run postrider login again.');
}

const whoAmI = async (session: Session, token: string): Promise<WhoAmI> =>
  successful(await request(session, 'whoami', { method: 'GET', token }));

/** Signs in with a code that a person approves in the console. */
async function signInWithCode(session: Session): Promise<Partial<Profile>> {
  const form = { client_name: `${userInfo().username}@${hostname()}` };
  const codes = successful<DeviceCodes>(await request(session, 'device', { method: 'POST', form }));
  session.io.stderr.write(
    `Open ${plain(codes.verification_uri_complete)}\nand approve the code ${plain(codes.user_code)}, if it is shown there.\n`,
  );
  const token = await waitForToken(session, codes);
  const { name, expires_at } = await whoAmI(session, token);
  return { token, name, ...(expires_at !== null && { expires_at }) };
}

/** Checks the token that stdin has, and says what it is for. Throws if the service refuses it. */
async function signInWithToken(session: Session): Promise<Partial<Profile>> {
  const token = (await readStdin(session.io)).trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('Stdin must contain one token and nothing else.');
  if (!/^p[rc]_/.test(token)) return { token, name: (await whoAmI(session, token)).name };
  const client = createPostrider({ baseUrl: session.url, token });
  await client.limits(session.call).catch((error: unknown) => {
    // The token is valid, and has no scope for this.
    if (!(error instanceof PostriderApiError) || error.status !== 403) throw error;
  });
  return { environment_token: token };
}

/** A profile as it is shown: without its tokens. */
const shown = (name: string, { url, name: who, expires_at, environment, ...tokens }: Profile) => ({
  profile: name,
  url,
  name: who ?? null,
  expires_at: expires_at ?? null,
  environment: environment ?? null,
  tokens: [
    ...(tokens.token ? ['management'] : []),
    ...(tokens.environment_token ? ['environment'] : []),
  ].join(', '),
});

async function login(
  session: Session,
  { withToken = false, environment }: { withToken?: boolean; environment?: string },
): Promise<void> {
  const { url, profile: name } = session;
  const signedIn = withToken ? await signInWithToken(session) : await signInWithCode(session);
  const before = session.signedIn();
  const kept = before && isSameAddress(before.url, url) ? before : null;
  // A sign-in with a token that nothing revokes replaces one with a code.
  const { expires_at: _ended, ...others } = kept ?? {};
  const base = signedIn.token ? others : kept;
  const profile: Profile = { ...base, ...signedIn, url, ...given({ environment }) };
  writeProfile(session.io, name, profile);
  session.show(shown(name, profile), record);
}

async function logout(session: Session): Promise<void> {
  const profile = session.signedIn();
  if (!profile) throw new UsageError(`Nobody is signed in with the profile "${session.profile}".`);
  if (profile.token && profile.expires_at) {
    const at = { io: session.io, url: profile.url };
    const answer = await request(at, 'token', { method: 'DELETE', token: profile.token });
    // 401: the token has ended before.
    if (answer.response.status !== 401) successful(answer);
  }
  writeProfile(session.io, session.profile, null);
  session.show({ profile: session.profile, signed_out: true }, () => 'Signed out.');
}

function listProfiles(session: Session): void {
  const profiles = Object.entries(readProfiles(session.io)).map(([name, profile]) => ({
    ...shown(name, profile),
    current: name === session.profile,
  }));
  const rows = profiles.map(({ current, ...profile }) => ({ ...profile, current: current ? '*' : '' }));
  const columns = ['current', 'profile', 'url', 'name', 'environment', 'tokens', 'expires_at'];
  session.show({ data: profiles }, (_, style) => table(columns, rows, style));
}

/** `postrider login`, `logout`, `profiles` and `whoami`: what the command line uses unless variables or options say otherwise. */
export function addLogin(program: SessionCommand): void {
  program
    .add(
      'login',
      'sign in as an operator with a code, which you approve in the console, or store a token; later commands ' +
        'use the address, tokens and environment of the profile',
    )
    .option('--with-token', 'read a token from stdin instead: of an environment (pr_…) or for management')
    .option('--environment <id>', 'the environment of management commands without --environment, env_…')
    .examples({
      'postrider login': 'Sign in to the installation at POSTRIDER_URL for 12 hours.',
      'postrider --profile staging --api-url https://staging.example.com login': 'Keep a second sign-in.',
      'postrider login --with-token < token.txt': 'Store the token of an environment, too.',
    })
    .runs(login);
  program.add('logout', 'remove the profile; revokes the token of a sign-in').runs(logout);
  program.add('profiles', 'list the profiles, without their tokens').runs(listProfiles);
  program
    .add('whoami', 'show who management commands run as, with role, scopes and bounds')
    .shows((session) => whoAmI(session, session.adminToken()));
}

/** `postrider console`: a link that opens the console signed in. */
export function addConsole(program: SessionCommand): void {
  program
    .add('console', 'print a link that signs in to the console; it works once, within 10 minutes')
    .option('--operator <id>', 'for this operator, opr_…, instead of for yourself')
    .examples({
      'postrider --actor ada console': 'Open it as Ada.',
      'postrider console --operator opr_…': 'Give an operator a first sign-in.',
    })
    .runs(async (session, { operator: operator_id }: { operator?: string }) => {
      const link = await session.admin().consoleLinks.create(given({ operator_id }), session.call);
      const url = `${urlOf(session, 'console/').href}${link.url_fragment}`;
      session.show({ url, expires_at: link.expires_at }, () => url);
    });
}
