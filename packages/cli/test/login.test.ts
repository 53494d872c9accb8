import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { formatId } from '@postrider/domain';
import { startHttpReceiver } from '@postrider/rig';
import { afterAll, describe, expect, it } from '@postrider/testing';
import { ownDirectory } from '../src/commands/dev.ts';
import type { Io } from '../src/io.ts';
import { readProfiles, writeProfile } from '../src/profiles.ts';
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

describe('the file of profiles', () => {
  it('waits for another sign-in that writes it, and not for one that crashed, also before its clock was set back', async () => {
    const config = mkdtempSync(join(home, 'locked-'));
    const io = { env: { XDG_CONFIG_HOME: config } } as unknown as Io;
    const file = join(config, 'postrider', 'profiles.json');
    const lock = `${file}.lock`;
    writeProfile(io, 'one', { url: 'http://127.0.0.1:1' });
    writeFileSync(lock, '');
    const other = new Worker(
      `const fs = require('node:fs');
       const { file, lock } = require('node:worker_threads').workerData;
       setTimeout(() => {
         const content = JSON.parse(fs.readFileSync(file, 'utf8'));
         content.profiles.two = { url: 'http://127.0.0.1:2' };
         fs.writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
         fs.rmSync(lock);
       }, 200);`,
      { eval: true, workerData: { file, lock } },
    );
    const ended = once(other, 'exit');
    writeProfile(io, 'three', { url: 'http://127.0.0.1:3' });
    await ended;
    expect(Object.keys(readProfiles(io)).sort()).toEqual(['one', 'three', 'two']);

    for (const [name, time] of [
      ['four', new Date(0)],
      ['five', new Date(Date.now() + 86_400_000)],
    ] as const) {
      writeFileSync(lock, '');
      utimesSync(lock, time, time);
      writeProfile(io, name, { url: 'http://127.0.0.1:4' });
      expect(Object.keys(readProfiles(io))).toContain(name);
      expect(existsSync(lock)).toBe(false);
    }
  });
});

describe('the data of postrider dev', () => {
  it('is ignored by Git', () => {
    const directory = ownDirectory(mkdtempSync(join(home, 'project-')));
    expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe('*\n');
  });
});

describe('the address that postrider login prints', () => {
  it('has no control characters of the service', async () => {
    const codes = {
      ...{
        device_code: 'd',
        user_code: 'AB\u001b[2J',
        verification_uri: 'http://x',
        interval: 1,
        expires_in: 0,
      },
      verification_uri_complete: 'http://x/\u001b]0;title\u0007',
    };
    const receiver = await startHttpReceiver((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(codes));
    });
    const stop = new AbortController();
    const { stderr } = await postrider(['--api-url', receiver.url, 'login'], {
      env: { HOME: mkdtempSync(join(home, 'hostile-')) },
      signal: stop.signal,
      onError: () => stop.abort(),
    });
    expect(stderr).toContain('and approve the code');
    expect(stderr).not.toContain('\u001b');
    await receiver.close();
  });
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
