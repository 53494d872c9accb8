import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from '@postrider/local-stack';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-test-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function putProgram(path: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  return path;
}

describe('findRedis', () => {
  it.each(['redis-server', 'valkey-server'])('prefers the %s on the PATH', async (name) => {
    const installed = await putProgram(join(directory, 'bin', name));
    await putProgram(join(directory, 'cache', 'root', 'usr', 'bin', 'redis-server'));
    const found = await findRedis({
      path: `/nowhere:${join(directory, 'bin')}`,
      cacheDirectory: join(directory, 'cache'),
    });
    expect(found).toEqual({ command: installed, libraryPath: [] });
  });

  it('uses a copy that was fetched before, with its libraries', async () => {
    const root = join(directory, 'cache', 'root');
    const copy = await putProgram(join(root, 'usr', 'bin', 'redis-server'));
    await putProgram(join(root, 'usr', 'lib', 'some-machine', 'libsome.so'));
    const found = await findRedis({ path: '', cacheDirectory: join(directory, 'cache') });
    expect(found).toEqual({
      command: copy,
      libraryPath: [join(root, 'usr/lib'), join(root, 'usr/lib/some-machine')],
    });
  });
});
