import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@postrider/db';
import { startPostgres, startRedis } from '@postrider/local-stack';
import { FROM_SOURCES } from '@postrider/rig/servers';
import { afterAll, describe, expect, it } from '@postrider/testing';
import { eventually, isAlive } from './support.ts';

const scratch: string[] = [];

async function scratchDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-test-'));
  scratch.push(directory);
  return directory;
}

afterAll(async () => {
  for (const directory of scratch) await rm(directory, { recursive: true, force: true });
});

async function onDatabase(url: string, statement: string): Promise<unknown[]> {
  const db = openDatabase(url, { poolSize: 1 });
  try {
    return await db.$queryRawUnsafe<unknown[]>(statement);
  } finally {
    await db.$disconnect();
  }
}

/** Sends inline Redis commands and returns the first line of each answer. */
async function askRedis(port: number, ...commands: string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const lines = createInterface({ input: socket });
  socket.write(`${[...commands, 'QUIT'].join('\r\n')}\r\n`);
  const answers: string[] = [];
  for await (const line of lines) answers.push(line);
  return answers.slice(0, commands.length);
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    for (const refusal of ['error', 'timeout']) {
      socket.once(refusal, () => {
        socket.destroy();
        resolve(false);
      });
    }
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function otherAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .filter((entry) => entry !== undefined && !entry.internal && entry.family === 'IPv4')
    .map((entry) => entry?.address ?? '');
}

describe('startPostgres', () => {
  it('only listens on 127.0.0.1, requires its password, and leaves no process or file after stop', async () => {
    const server = await startPostgres({ durable: false });
    const { url, port, pid, directory } = server;
    expect(await onDatabase(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(onDatabase(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow();
    for (const address of otherAddresses()) expect(await connects(address, port)).toBe(false);
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(directory)).toBe(false);
  });

  it('keeps committed data when it is killed and restarted', async () => {
    const directory = await scratchDirectory();
    const first = await startPostgres({ directory });
    await onDatabase(first.url, 'CREATE TABLE kept AS SELECT 7 AS number');
    await first.kill();
    expect(isAlive(first.pid)).toBe(false);
    const second = await startPostgres({ directory, port: first.port });
    expect(second.url).toBe(first.url);
    expect(await onDatabase(second.url, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
    await second.stop();
  });
});

describe('startRedis', () => {
  it('only listens on 127.0.0.1, requires its password, and leaves no process after stop', async () => {
    const server = await startRedis();
    expect(await askRedis(server.port, `AUTH ${server.password}`, 'PING')).toEqual(['+OK', '+PONG']);
    expect((await askRedis(server.port, 'PING'))[0]).toMatch(/^-NOAUTH/);
    for (const address of otherAddresses()) expect(await connects(address, server.port)).toBe(false);
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
  });

  it('can be killed and restarted at the same address, empty unless it is durable', async () => {
    const directory = await scratchDirectory();
    const first = await startRedis({ directory, durable: true, settings: ['appendfsync always'] });
    const { port, password } = first;
    await askRedis(port, `AUTH ${password}`, 'SET kept 7');
    await first.kill();
    const second = await startRedis({ directory, port, password, durable: true });
    expect(second.url).toBe(first.url);
    expect(await askRedis(port, `AUTH ${password}`, 'EXISTS kept')).toEqual(['+OK', ':1']);
    await second.stop();
    const third = await startRedis({ port, password });
    expect(await askRedis(port, `AUTH ${password}`, 'EXISTS kept')).toEqual(['+OK', ':0']);
    await third.stop();
  });
});

describe('a killed process', () => {
  it('leaves neither servers nor temporary directories', async () => {
    const script = fileURLToPath(new URL('./start-and-hang.ts', import.meta.url));
    const parent = spawn(process.execPath, [...FROM_SOURCES, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const started: { pids: number[]; directories: string[] } = JSON.parse(line);
    expect(started.pids.every(isAlive)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => started.pids.every((pid) => !isAlive(pid)));
    await eventually(() => started.directories.every((directory) => !existsSync(directory)));
  });
});
