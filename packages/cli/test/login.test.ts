import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
