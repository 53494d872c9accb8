import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatId, type StreamNames } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { csvFields, csvLine } from '../src/commands/suppressions.ts';
import { useService } from './support/service.ts';

const service = useService();
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-suppressions-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** An environment, and the command for its list. */
async function anEnvironment(streamNames: StreamNames = {}) {
  const { environmentId } = await service.fixture({ settings: { streamNames } });
  const scope = ['--environment', formatId('env', environmentId)];
  const run = (args: readonly string[], options = {}) =>
    service.postrider(['suppressions', ...args, ...scope], options);
  const importing = async (text: string) => {
    const path = join(directory, `${environmentId}.csv`);
    await writeFile(path, text);
    return run(['import', path, '--json']);
  };
  const emails = async () =>
    (await run(['list', '--json'])).json<{ data: { email: string }[] }>().data.map(({ email }) => email);
  return { run, importing, emails };
}

describe('postrider suppressions', () => {
  it('adds, finds and removes an address', async () => {
    const { run } = await anEnvironment();
    const added = (await run(['add', '--email', 'Ada@example.com', '--reason', 'asked', '--json'])).json<{
      id: string;
    }>();
    const found = await run(['list', '--email', 'ada@example.com', '--json']);
    expect(found.json()).toMatchObject({
      data: [{ id: added.id, email: 'Ada@example.com', reason: 'asked' }],
    });
    expect((await service.postrider(['suppressions', 'remove', added.id])).stdout).toContain('removed');
    expect((await run(['list', '--json'])).json()).toMatchObject({ data: [] });
  });

  it('imports CSV in batches, with or without a header; a second import changes nothing', async () => {
    const { importing, emails, run } = await anEnvironment({ news: { en: 'News' } });
    const many = Array.from({ length: 450 }, (_, n) => `a${n}@example.com`);
    expect((await importing(many.join('\n'))).json()).toEqual({ added: 450, existing: 0 });
    const named =
      '\uFEFFReason,email,ignored,scope\r\n"said ""no"", twice",b@example.com,x,news\r\n\r\n,A1@example.com,,\r\n';
    expect((await importing(named)).json()).toEqual({ added: 1, existing: 1 });
    expect((await importing(named)).json()).toEqual({ added: 0, existing: 2 });
    expect((await emails())[0]).toBe('b@example.com');
    const found = await run(['list', '--email', 'b@example.com', '--json']);
    expect(found.json()).toMatchObject({
      data: [{ scope: 'news', reason: 'said "no", twice', source: 'import' }],
    });
  });

  it('names each invalid line of a file and changes nothing', async () => {
    const { importing, emails } = await anEnvironment();
    const lines = [
      'email,scope',
      'a@example.com,all',
      'nobody',
      'b@example.com,Two Words',
      '"c@example.com',
      'x'.repeat(5_000),
    ];
    const { code, stdout, stderr } = await importing(lines.join('\n'));
    const said = stdout + stderr;
    expect(code).toBe(2);
    for (const line of ['Line 3', 'Line 4', 'Line 5', 'Line 6']) expect(said).toContain(line);
    expect(said).not.toContain('Line 2');
    expect(await emails()).toEqual([]);
  });

  it('exports a file that another environment can import, and a spreadsheet can open without running it', async () => {
    const names = { news: { en: 'News' } };
    const [from, to] = [await anEnvironment(names), await anEnvironment(names)];
    const formulas = ['=1+1@example.com', '+2@example.com', "'=3@example.com", "''-4@example.com"];
    const sent = ['a@example.com,all,"one, two"', 'b@example.com,news', ...formulas];
    await from.importing(`${sent.join(',all,=1+1\n')}\n`);
    const { stdout } = await from.run(['export']);
    expect(stdout.split('\n')[0]).toBe('email,scope,reason,source,created_at,expires_at');
    expect(stdout).not.toMatch(/(^|[",])[=+@-]/m);
    expect((await to.importing(stdout)).json()).toEqual({ added: sent.length, existing: 0 });
    expect((await to.emails()).sort()).toEqual((await from.emails()).sort());
  });
});

describe('a line of CSV', () => {
  it.each([
    ['a,b', ['a', 'b']],
    ['', ['']],
    ['a,,', ['a', '', '']],
    ['"a,b","c""d",', ['a,b', 'c"d', '']],
    ['""', ['']],
  ])('%j is read', (line, fields) => expect(csvFields(line)).toEqual(fields));
  it.each(['"a', '"a"b', 'a,"b""'])('%j is refused', (line) => expect(csvFields(line)).toBeNull());
  it('can be read after it is written', () => {
    const fields = ['a', '"', ',', 'b,"c"', ''];
    expect(csvFields(csvLine(fields).slice(0, -1))).toEqual(fields);
  });
});
