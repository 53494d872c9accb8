import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { lock, tryLock } from '../process-lock.mjs';

const MODULE = new URL('../process-lock.mjs', import.meta.url).href;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-test-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the lock between processes', () => {
  it('is released when its holder is killed', async () => {
    const script = `
      const { tryLock } = await import(${JSON.stringify(MODULE)});
      await tryLock(${JSON.stringify(directory)}, 'work');
      console.log('held');
      setInterval(() => {}, 1e6);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    expect(await tryLock(directory, 'work')).toBeNull();
    const waiting = lock(directory, 'work');
    holder.kill('SIGKILL');
    const held = await waiting;
    expect(await tryLock(directory, 'work')).toBeNull();
    await held.release();
  });

  it('is separate for each directory and purpose', async () => {
    const one = await lock(directory, 'one');
    const two = await tryLock(directory, 'two');
    const elsewhere = await tryLock(tmpdir(), `one-${process.pid}`);
    expect(two).not.toBeNull();
    expect(elsewhere).not.toBeNull();
    await Promise.all([one, two, elsewhere].map((held) => held?.release()));
  });
});
