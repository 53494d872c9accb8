import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@postrider/db';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { useService } from './support/service.ts';

const service = useService({ worker: true });
const { postrider } = service;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface State {
  readonly head: { sequence: number; hash: string } | null;
  readonly waiting: number;
}
const state = async () => (await postrider(['audit', 'head', '--json'])).json<State>();

/** Makes changes, and waits until a worker has chained them. Returns the head as text. */
async function change(...codes: string[]): Promise<string> {
  for (const code of codes) {
    const args = ['plans', 'create', '--code', code, '--name', code, '--audit-reason', `für ${code}`];
    expect(await postrider(args)).toMatchObject({ code: 0 });
  }
  await waitFor('the chain', async () => (await state()).waiting === 0);
  const { head } = await state();
  return `${head?.sequence}:${head?.hash}`;
}

/** Runs statements as the owner of the tables, without triggers. */
async function tamper(statement: string): Promise<void> {
  const db = openDatabase(service.databaseUrl(), { poolSize: 1 });
  try {
    await db.$executeRawUnsafe('ALTER TABLE audit_log DISABLE TRIGGER USER');
    await db.$executeRawUnsafe(statement);
    await db.$executeRawUnsafe('ALTER TABLE audit_log ENABLE TRIGGER USER');
  } finally {
    await db.$disconnect();
  }
}

const lines = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { sequence: number; resource_id: string; reason: string | null });

describe('postrider audit', () => {
  it('exports entries as JSON lines and continues where the file ends, also after a crash', async () => {
    const out = join(folder, 'audit.jsonl');
    await change('a', 'b');
    const run = () => postrider(['audit', 'export', '--out', out, '--json']);
    expect((await run()).json()).toEqual({ file: out, written: 2 });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    await change('c', 'd');
    // A crash within the last line, which is written again.
    await truncate(out, (await stat(out)).size - 5);
    expect((await run()).json()).toEqual({ file: out, written: 3 });
    expect((await run()).json()).toEqual({ file: out, written: 0 });
    expect(
      (await lines(out)).map(({ sequence, resource_id, reason }) => [sequence, resource_id, reason]),
    ).toEqual([
      [1, 'a', 'für a'],
      [2, 'b', 'für b'],
      [3, 'c', 'für c'],
      [4, 'd', 'für d'],
    ]);
  });

  it('refuses to continue a file that is no export, or that is not of this chain', async () => {
    const other = join(folder, 'other.txt');
    await writeFile(other, 'something else\n');
    expect(await postrider(['audit', 'export', '--out', other])).toMatchObject({ code: 2 });
    expect(await readFile(other, 'utf8')).toBe('something else\n');
    const foreign = `${JSON.stringify({ sequence: 2, hash: '0'.repeat(64) })}\n`;
    await writeFile(other, foreign);
    const refused = await postrider(['audit', 'export', '--out', other]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('sequence 2') });
    expect(await readFile(other, 'utf8')).toBe(foreign);
  });

  it('verifies the log, and exits with 1 and names the entry that was changed, removed or cut off', async () => {
    const head = await change('e');
    const intact = await postrider(['audit', 'verify', '--expect-head', head]);
    expect(intact).toMatchObject({ code: 0, stdout: expect.stringContaining(head) });

    await tamper(`UPDATE audit_log SET actor = 'mallory' WHERE resource_id = 'b'`);
    const changed = await postrider(['audit', 'verify']);
    expect(changed).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/aud_\w+ \(sequence 2\) was changed/),
    });

    await tamper(`DELETE FROM audit_log WHERE resource_id IN ('a', 'b')`);
    const removed = await postrider(['audit', 'verify', '--json']);
    expect(removed.code).toBe(1);
    expect(removed.json()).toMatchObject({ problem: { kind: 'removed', sequence: 1 } });

    const other = await postrider(['audit', 'verify', '--expect-head', `1:${'0'.repeat(64)}`]);
    expect(other).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('expected head, sequence 1, is not'),
    });
    expect(await postrider(['audit', 'verify', '--expect-head', 'x'])).toMatchObject({ code: 1 });
  });
});
