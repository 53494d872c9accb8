import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@postrider/testing';
import { useService } from './support/service.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const service = useService();

/** The command as a process of its own. The cache of compiled modules takes a fifth off its start. */
function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...service.environment(), ...env },
  });
}

async function ended(child: ChildProcess) {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, stdout, stderr };
}

describe('the command as a process', () => {
  it('exits with the code of the command', async () => {
    expect(await ended(start(['messages', 'show']))).toMatchObject({ code: 2 });
    expect(await ended(start(['usage'], { POSTRIDER_TOKEN: 'pr_x' }))).toMatchObject({ code: 4 });
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await ended(start(['--version']))).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  it('migrates the database once', async () => {
    const env = { DATABASE_URL: service.databaseUrl() };

    expect(await ended(start(['migrate'], env))).toMatchObject({ code: 0, stdout: 'up to date\n' });
    expect(await ended(start(['migrate'], { DATABASE_URL: 'mysql://u:hunter2@x/y' }))).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining('hunter2'),
    });
  });

  it('says in one line why it cannot migrate', async () => {
    const otherSchema = `${service.databaseUrl()}?options=-csearch_path%3Dother`;
    const lines = await Promise.all(
      ['postgresql://u:hunter2@127.0.0.1:1/x', otherSchema].map(async (url) => {
        const { code, stderr } = await ended(start(['migrate'], { DATABASE_URL: url }));
        return [code, stderr];
      }),
    );

    expect(lines).toEqual([
      [
        1,
        'The database cannot be migrated (unreachable): check that it runs, and DATABASE_URL, or DATABASE_DIRECT_URL if that is set.\n',
      ],
      [1, 'the search_path of this database role has no existing schema: it must begin with public\n'],
    ]);
  });

  it('migrates with the direct URL, not through PgBouncer', async () => {
    const pooled = { DATABASE_URL: 'postgresql://pooler.invalid/postrider?pgbouncer=true' };

    expect(await ended(start(['migrate'], pooled))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DATABASE_DIRECT_URL is required'),
    });
    expect(
      await ended(start(['migrate'], { ...pooled, DATABASE_DIRECT_URL: service.databaseUrl() })),
    ).toMatchObject({ code: 0, stdout: 'up to date\n' });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'exits a tail on %s with 0 and only its first line on stderr',
    async (signal) => {
      const { token } = await service.fixture({});
      const child = start(['tail'], { POSTRIDER_TOKEN: token });
      const finished = ended(child);
      await once(child.stderr as NonNullable<ChildProcess['stderr']>, 'data');
      child.kill(signal);

      expect(await finished).toEqual({
        code: 0,
        signal: null,
        stdout: '',
        stderr: 'Following changes; Ctrl-C ends.\n',
      });
    },
  );

  it('exits silently when its output is closed', async () => {
    const child = start(['--help']);
    child.stdout?.destroy();

    expect(await ended(child)).toMatchObject({ signal: null, stderr: '' });
  });

  it.each(['bash', 'zsh', 'fish'])(
    'prints a completion script for %s that calls the command',
    async (shell) => {
      const { code, stdout } = await ended(start(['completion', shell]));

      expect(code).toBe(0);
      expect(stdout).toContain('postrider complete');
    },
  );

  it.each([
    [['messages', ''], 'show'],
    [['events', 'send', '--pay'], '--payload-file'],
    [['messages', 'list', '--status', ''], 'partially_delivered'],
  ])('completes %j', async (words, expected) => {
    const { code, stdout } = await ended(start(['complete', '--', ...words]));

    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toContain(expected);
  });
});
