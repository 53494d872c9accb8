import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Listening, startHttpReceiver } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type ProcessLock, tryLock } from '../process-lock.mjs';

const SCRIPT = fileURLToPath(new URL('../../../scripts/postrider.mjs', import.meta.url));

let local: string;
let running: ProcessLock | null;
let api: Listening;
let other: Listening;
/** The tokens that each API got. */
const seen: [name: string, authorization: string | undefined][] = [];

const startApi = (name: string) =>
  startHttpReceiver((request, response) => {
    seen.push([name, request.headers.authorization]);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

/** A copy of npm start as the command line sees it: a held slot, and the file that says how to reach the copy. */
beforeAll(async () => {
  local = await mkdtemp(join(tmpdir(), 'postrider-test-'));
  [api, other] = await Promise.all([startApi('npm start'), startApi('other')]);
  await mkdir(join(local, '1'));
  const { port } = new URL(api.url);
  const stack = { POSTRIDER_URL: `http://127.0.0.1:${port}`, POSTRIDER_TOKEN: 'pr_own', ADMIN_TOKEN: 'own' };
  await writeFile(join(local, '1', 'stack.json'), JSON.stringify(stack));
  running = await tryLock(local, 'slot-1');
});
afterAll(async () => {
  await running?.release();
  await Promise.all([api.close(), other.close()]);
  await rm(local, { recursive: true });
});

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const { POSTRIDER_URL, POSTRIDER_TOKEN, ADMIN_TOKEN, ...rest } = process.env;
  const child = spawn(process.execPath, [SCRIPT, 'limits', ...args], {
    env: { ...rest, POSTRIDER_LOCAL_DIR: local, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stderr, seen: seen.splice(0) };
}

describe('npm run postrider', () => {
  it('uses the tokens of a running npm start, also if POSTRIDER_URL or --api-url names it', async () => {
    const own = { code: 0, stderr: '', seen: [['npm start', 'Bearer pr_own']] };
    const { port } = new URL(api.url);
    expect(await run([])).toEqual(own);
    expect(await run([], { POSTRIDER_URL: `http://localhost:${port}/` })).toEqual(own);
    expect(await run([`--api-url=http://127.0.0.1:${port}`])).toEqual(own);
  }, 60_000);

  it('sends them to no other installation, and says why', async () => {
    for (const { args, env } of [
      { args: [], env: { POSTRIDER_URL: other.url } },
      { args: ['--api-url', other.url], env: undefined },
    ]) {
      const { code, stderr, seen: got } = await run(args, env);
      expect({ code, got }).toEqual({ code: 2, got: [] });
      expect(stderr).toMatch(/tokens of npm start \(http:\/\/127\.0\.0\.1:\d+\) are not used/);
    }
  }, 60_000);
});
