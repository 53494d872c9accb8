import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatId } from '@postrider/domain';
import { afterAll, describe, expect, it } from '@postrider/testing';
import { postrider } from './support/command-line.ts';
import { useService } from './support/service.ts';

const service = useService();
const home = mkdtempSync(join(tmpdir(), 'postrider-login-'));
afterAll(() => rmSync(home, { recursive: true }));

/** Approves a code in a session of the admin token, as a person does in the console. */
async function approve(userCode: string): Promise<void> {
  const { POSTRIDER_URL: url, ADMIN_TOKEN: token } = service.environment();
  const headers = { 'Content-Type': 'application/json' };
  const opened = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token }),
  });
  const { csrf_token: csrf } = (await opened.json()) as { csrf_token: string };
  const cookie = String(opened.headers.get('set-cookie')).split(';', 1)[0] ?? '';
  const decided = await fetch(`${url}/console/device/decision`, {
    method: 'POST',
    headers: { ...headers, Cookie: cookie, 'X-CSRF-Token': csrf },
    body: JSON.stringify({ user_code: userCode, approve: true }),
  });
  expect(decided.status).toBe(204);
}

describe('postrider login', () => {
  it('keeps a token that only its owner can read, is used for this address alone, and ends with logout', async () => {
    const { POSTRIDER_URL: url } = service.environment();
    const own = { HOME: home };
    const signedIn = await postrider(['--api-url', url, '--json', 'login'], {
      env: own,
      onError: (text) => {
        const [, code] = /approve the code ([A-Z-]+)/.exec(text) ?? [];
        if (code) void approve(code);
      },
    });
    expect([signedIn.code, signedIn.stderr.includes('/console/#/device?code=')]).toEqual([0, true]);
    const file = join(home, '.config/postrider/profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const who = await postrider(['--json', 'whoami'], { env: own });
    expect(who.json()).toMatchObject({ kind: 'operator_token' });
    expect((await postrider(['--json', 'tenants', 'list'], { env: own })).code).toBe(0);
    const elsewhere = await postrider(['--api-url', 'http://127.0.0.1:9', 'tenants', 'list'], { env: own });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('is signed in to')]);
    expect((await postrider(['logout'], { env: own })).code).toBe(0);
    expect((await postrider(['whoami'], { env: own })).code).toBe(2);
  }, 60_000);
});

/** Runs command lines with profiles of their own and no variables. */
function withProfiles() {
  const directory = mkdtempSync(join(home, 'profiles-'));
  return {
    file: join(directory, '.config/postrider/profiles.json'),
    run: (
      args: readonly string[],
      { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {},
    ) => postrider(args, { stdin, env: { HOME: directory, ...env } }),
  };
}

describe('a profile', () => {
  it('has address, tokens and environment for all commands, and shows no token', async () => {
    const { POSTRIDER_URL: url, ADMIN_TOKEN: admin } = service.environment();
    const { run, file } = withProfiles();
    const { token, ...fixture } = await service.fixture({});
    const environmentId = formatId('env', fixture.environmentId);
    const login = ['--profile', 'staging', '--api-url', url, 'login', '--with-token'];

    expect(await run([...login, '--environment', environmentId], { stdin: `${admin}\n` })).toMatchObject({
      code: 0,
    });
    expect(await run(login, { stdin: token })).toMatchObject({ code: 0 });

    const env = { POSTRIDER_PROFILE: 'staging' };
    expect(await run(['usage'], { env })).toMatchObject({ code: 0 });
    expect(await run(['channels', 'list'], { env })).toMatchObject({ code: 0 });
    const profiles = await run(['profiles', '--json'], { env });
    expect(profiles.json()).toEqual({
      data: [
        {
          profile: 'staging',
          url,
          name: 'admin',
          expires_at: null,
          environment: environmentId,
          tokens: 'management, environment',
          current: true,
        },
      ],
    });
    expect(profiles.stdout).not.toContain(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run(['logout'], { env })).toMatchObject({ code: 0 });
    expect((await run(['profiles', '--json'])).json()).toEqual({ data: [] });
  });

  it('is replaced by variables, and these by options', async () => {
    const { POSTRIDER_URL: url, ADMIN_TOKEN: admin } = service.environment();
    const { run } = withProfiles();
    const { token, ...fixture } = await service.fixture({});
    const environmentId = formatId('env', fixture.environmentId);
    const other = { environmentId: formatId('env', (await service.fixture({})).environmentId) };
    const elsewhere = 'http://127.0.0.1:9';
    await run(['--api-url', url, 'login', '--with-token', '--environment', environmentId], { stdin: admin });
    const environmentOf = async (args: string[], env = {}) => {
      const create = ['channels', 'create-webhook', '--name', 'x', '--url', 'https://example.com/', '--json'];
      const created = await run([...create, ...args], { env });
      return created.code === 0 ? created.json().environment_id : created.stderr;
    };

    expect(await environmentOf([])).toBe(environmentId);
    expect(await environmentOf([], { POSTRIDER_ENVIRONMENT: other.environmentId })).toBe(other.environmentId);
    expect(
      await environmentOf(['--environment', environmentId], { POSTRIDER_ENVIRONMENT: other.environmentId }),
    ).toBe(environmentId);
    expect((await run(['usage'], { env: { POSTRIDER_URL: elsewhere, POSTRIDER_TOKEN: token } })).code).toBe(
      5,
    );
    expect(
      (await run(['usage', '--api-url', url], { env: { POSTRIDER_URL: elsewhere, POSTRIDER_TOKEN: token } }))
        .code,
    ).toBe(0);
  });

  it('is not stored if the token is refused or the service is out of reach, and the error says so', async () => {
    const { POSTRIDER_URL: url } = service.environment();
    const { run } = withProfiles();
    const wrong = 'pr_x_000000000000000000000000000000000000';

    expect(await run(['--api-url', url, 'login', '--with-token'], { stdin: wrong })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('The token is wrong, has ended or was revoked.'),
    });
    expect(
      await run(['--api-url', 'http://127.0.0.1:9', 'login', '--with-token'], { stdin: wrong }),
    ).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Is the service running at http://127.0.0.1:9?'),
    });
    expect(await run(['login', '--with-token'], { stdin: ' ' })).toMatchObject({ code: 2 });
    expect(await run(['usage'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('postrider login --with-token'),
    });
    expect((await run(['profiles', '--json'])).json()).toEqual({ data: [] });
  });

  it('is not read from a file that others can read', async () => {
    const { run, file } = withProfiles();
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '{"profiles":{}}', { mode: 0o644 });

    expect(await run(['profiles'])).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod 600') });
  });
});
