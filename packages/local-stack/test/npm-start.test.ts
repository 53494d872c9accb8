import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { eventually } from './support.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-test-'));
  // As root, PostgreSQL runs as another account. If that cannot enter, its data is elsewhere and not removed by the test.
  await chmod(directory, 0o755);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs npm start and resolves with its output once that says how to stop it. */
async function npmStart() {
  const { DATABASE_URL, REDIS_URL, PORT, WORKER_PORT, METRICS_PORT, ...env } = process.env;
  const child = spawn(process.execPath, [SCRIPT], {
    env: { ...env, POSTRIDER_LOCAL_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const exited = once(child, 'exit');
  const output = createInterface({ input: child.stdout });
  const shown = new Promise<void>((resolve) => {
    output.on('line', (line) => {
      lines.push(line);
      if (line.startsWith('Stop with Ctrl-C')) resolve();
    });
  });
  await Promise.race([shown, exited]);
  const address = (label: string) =>
    lines
      .find((line) => line.trim().startsWith(label))
      ?.split(/\s+/)
      .at(-1) ?? '';
  return { child, exited, lines, address };
}

async function paste(command: string): Promise<string> {
  const shell = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  for await (const chunk of shell.stdout) output += chunk;
  return output;
}

const getJson = async (url: string) => (await fetch(url)).json();

describe('npm start', () => {
  it('refuses a port that is in use before it builds or starts anything', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const child = spawn(process.execPath, [SCRIPT], {
      env: { ...process.env, POSTRIDER_LOCAL_DIR: directory, WORKER_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    expect(await text(child.stderr)).toContain(`WORKER_PORT=${port}: this port is in use.`);
    expect(await exited).toEqual([1, null]);
    expect(await readdir(directory)).toEqual([]);
    server.close();
  }, 180_000);

  it('prints a command that causes a mail and a signed webhook, and exits with 0 on a signal', async () => {
    const { child, exited, lines, address } = await npmStart();
    const curl = lines.find((line) => line.startsWith('curl ')) ?? '';
    expect(await paste(curl)).toMatch(/^HTTP\/1\.1 201 /);

    const mails = new URL('/email', address('Mail')).href;
    await eventually(async () => ((await getJson(mails)) as unknown[]).length === 1);
    expect(await getJson(mails)).toMatchObject([{ subject: 'Your order A-1001 is on its way' }]);

    const requests = new URL('/requests', address('Webhooks')).href;
    await eventually(async () => ((await getJson(requests)) as { data: unknown[] }).data.length === 1);
    expect(await getJson(requests)).toMatchObject({ data: [{ signature: { holds: true } }] });

    // As somebody who looks for the order in the console.
    const found = await fetch(`${address('API')}/lookup?q=A-1001`, {
      headers: { Authorization: `Bearer ${address('Token')}` },
    });
    expect(await found.json()).toMatchObject({ results: [{ type: 'business_id' }] });

    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await expect(fetch(address('API'))).rejects.toThrow();
    await expect(fetch(mails)).rejects.toThrow();
  }, 180_000);

  it('prints the same token when it is started again', async () => {
    const first = await npmStart();
    first.child.kill('SIGINT');
    await first.exited;
    const second = await npmStart();
    expect(second.address('Token')).toBe(first.address('Token'));
    expect(second.address('Token')).toMatch(/^pr_development_/);
    second.child.kill('SIGINT');
    expect(await second.exited).toEqual([0, null]);
  }, 180_000);
});
