import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { choosePort } from '../choose-port.mjs';
import { renderScreen } from '../src/start/screen.ts';
import { keepSecrets, takeSlot } from '../src/start/slot.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-test-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function occupyPort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { port, close: () => new Promise((done) => server.close(done)) };
}

describe('takeSlot', () => {
  it('gives each copy its own directory, and reuses a free one', async () => {
    const first = await takeSlot(directory);
    const second = await takeSlot(directory);
    expect([first.directory, second.directory]).toEqual([join(directory, '1'), join(directory, '2')]);
    await first.release();
    const third = await takeSlot(directory);
    expect(third.directory).toBe(first.directory);
    await Promise.all([second.release(), third.release()]);
  });
});

describe('keepSecrets', () => {
  it('creates them once, readable only by the user', async () => {
    const secrets = await keepSecrets(directory);
    expect(await keepSecrets(directory)).toEqual(secrets);
    expect(secrets.adminToken.length).toBeGreaterThanOrEqual(32);
    expect((await stat(join(directory, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('choosePort', () => {
  it('uses another port if the default one is in use', async () => {
    const taken = await occupyPort();
    expect(await choosePort('PORT', undefined, taken.port)).not.toBe(taken.port);
    await taken.close();
  });

  it('refuses a given port that is in use', async () => {
    const taken = await occupyPort();
    await expect(choosePort('PORT', String(taken.port), 3000)).rejects.toThrow(
      `PORT=${taken.port}: this port is in use`,
    );
    await taken.close();
  });

  it.each(['http', '0', '65536', '80.5'])('refuses the port %s', async (given) => {
    await expect(choosePort('PORT', given, 3000)).rejects.toThrow('is not a port');
  });
});

describe('renderScreen', () => {
  it('fits a terminal of 24 rows and 80 columns, below the output of npm', () => {
    const screen = renderScreen({
      apiPort: 65_535,
      token: `pr_development_${'x'.repeat(36)}`,
      consoleUrl: `http://localhost:65535/console/#link=${'x'.repeat(43)}`,
      mailUrl: 'http://localhost:65535/',
      webhooksUrl: 'http://localhost:65535/',
      slot: '.local/10',
    });
    const rows = screen.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);
    expect(rows).toBeLessThan(24);
    expect(screen).toMatch(/^curl /m);
  });
});
