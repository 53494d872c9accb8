import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { ContainedFiles, UnreadableFile } from '../src/config/contained-files.ts';
import { findFolder, readFolder } from '../src/config/read-folder.ts';
import { withReferences } from '../src/config/show-plan.ts';
import { parseYaml } from '../src/config/yaml-file.ts';
import { postrider } from './support/command-line.ts';

/** Nothing listens there: a folder that can be read leads to exit code 5. */
const NOWHERE = { POSTRIDER_URL: 'http://127.0.0.1:64999', ADMIN_TOKEN: 'secret' };
const MANIFEST = 'version: 1\nsections: [channels, templates, layouts]\n';
const CHANNEL = [
  'kind: webhook',
  'name: Shop',
  'config:',
  '  url: https://shop.example.com',
  '  secret_headers:',
  '    X-Key: env:SHOP_KEY',
  '',
].join('\n');

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'postrider-config-'));
});
afterAll(() => rmSync(root, { recursive: true }));

function folderOf(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(root, 'folder-'));
  for (const [name, text] of Object.entries({ 'postrider.yaml': MANIFEST, ...files })) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

const diff = (directory: string, ...options: string[]) =>
  postrider(['config', 'diff', '--environment', 'env_1', directory, ...options], {
    env: { ...NOWHERE, SHOP_KEY: 'hunter2' },
  });

describe('a folder of configuration', () => {
  it('is read, with its references, before the service is asked', async () => {
    const directory = folderOf({ 'channels/shop.yaml': CHANNEL, 'channels/notes.txt': 'mine' });
    const { code, stdout, stderr } = await diff(directory);
    expect(code).toBe(5);
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it.each([
    [
      'a variable that is not set',
      { 'channels/shop.yaml': CHANNEL.replace('SHOP_KEY', 'OTHER_KEY') },
      'channels/shop.yaml:6 /config/secret_headers/X-Key needs the variable OTHER_KEY, which is not set.',
    ],
    [
      "the command's own token",
      { 'channels/shop.yaml': CHANNEL.replace('SHOP_KEY', 'ADMIN_TOKEN') },
      'channels/shop.yaml:6 /config/secret_headers/X-Key may not be used: ADMIN_TOKEN belongs to this command.',
    ],
    [
      "Git's file with credentials",
      { '.git/config': 'token', 'layouts/main.yaml': 'name: main\ncontent: file:../.git/config\n' },
      "layouts/main.yaml:2 file:../.git/config is one of Git's own files (--allow-outside permits it).",
    ],
    [
      'two files of one resource',
      { 'channels/a.yaml': CHANNEL, 'channels/b.yaml': CHANNEL },
      'channels/b.yaml:2 channels/a.yaml describes the same channel.',
    ],
    [
      'a key that is there twice',
      { 'channels/shop.yaml': `${CHANNEL}name: Other\n` },
      'channels/shop.yaml:7 The key name occurs twice.',
    ],
    [
      'a name and a key that would control the terminal',
      { 'channels/a\u001b[2J.yaml': `${CHANNEL}"\\e[1m": 1\n"\\e[1m": 2\n` },
      'channels/a [2J.yaml:8 The key  [1m occurs twice.',
    ],
    [
      'a file that is no YAML',
      { 'layouts/main.yaml': 'name: main\ncontent: "<p>\n' },
      /layouts\/main\.yaml:\d Missing closing "quote/,
    ],
    [
      'a file that is no object',
      { 'layouts/main.yaml': '- main\n' },
      'layouts/main.yaml:1 The file must contain an object.',
    ],
    [
      'a tag, which could be anything',
      { 'layouts/main.yaml': 'name: main\ncontent: !!binary aGk=\n' },
      /layouts\/main\.yaml:2 Unresolved tag/,
    ],
    [
      'a number that would lose digits',
      { 'layouts/main.yaml': 'name: main\nsize: 9007199254740993\n' },
      'layouts/main.yaml:2 The number is beyond 2^53',
    ],
    [
      'a text file that is missing',
      { 'layouts/main.yaml': 'name: main\ncontent: file:main.html\n' },
      'layouts/main.yaml:2 file:main.html does not exist.',
    ],
    [
      'a path out of the folder',
      { 'layouts/main.yaml': 'name: main\ncontent: file:../../../../../../../../etc/hostname\n' },
      'layouts/main.yaml:2 file:../../../../../../../../etc/hostname is outside the configuration folder (--allow-outside permits it).',
    ],
    [
      'an absolute path',
      { 'layouts/main.yaml': 'name: main\ncontent: file:/etc/hostname\n' },
      'layouts/main.yaml:2 file:/etc/hostname is outside the configuration folder (--allow-outside permits it).',
    ],
    [
      'a section that it does not manage',
      { 'roles/on-call.yaml': 'code: on-call\n' },
      'roles/on-call.yaml:1 postrider.yaml does not list the section roles.',
    ],
    [
      'a misspelt folder',
      { 'chanels/shop.yaml': CHANNEL },
      'chanels/:1 No section has a folder of this name. The folders are event-types, channels, ',
    ],
    [
      'a file instead of a folder',
      { layouts: 'name: main\n' },
      'layouts:1 The folder cannot be read (ENOTDIR).',
    ],
    ['a folder too deep', { 'layouts/old/main.yaml': 'name: main\n' }, 'layouts/old/:1 Subfolders'],
    [
      'an unknown section',
      { 'postrider.yaml': 'version: 1\nsections:\n  - layouts\n  - layout\n' },
      'postrider.yaml:4 The sections are settings, event_types',
    ],
  ])('names the file and the line of %s', async (_, files, message) => {
    const { code, stdout, stderr } = await diff(folderOf(files));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('hunter2');
  });

  it('may have a folder that is not of it and cannot be read, such as lost+found', () => {
    class OfAnotherUser extends ContainedFiles {
      override list(folder: string) {
        if (folder === 'lost+found/') throw new UnreadableFile(folder, 'cannot be read (EACCES)');
        return super.list(folder);
      }
    }
    const files = new OfAnotherUser(folderOf({ 'lost+found/shop.yaml': CHANNEL }));
    expect(findFolder(files)?.items).toEqual([]);
  });

  it('names all issues at once', async () => {
    const { stderr } = await diff(
      folderOf({ 'layouts/a.yaml': '- 1\n', 'layouts/b.yaml': 'x: *y\n', 'channels/c.yaml': 'a: 1\na: 2\n' }),
    );
    expect(stderr).toMatch(/channels\/c\.yaml:2 .*\nlayouts\/a\.yaml:1 .*\nlayouts\/b\.yaml:1 /);
  });

  it('is not one without postrider.yaml: an empty folder must not remove everything', async () => {
    const { code, stderr } = await diff(mkdtempSync(join(root, 'empty-')), '--prune');
    expect(code).toBe(2);
    expect(stderr).toContain('has no postrider.yaml');
  });

  it('is read without following links out of it, unless that is wanted', async () => {
    const directory = folderOf({ 'layouts/main.yaml': 'name: main\ncontent: file:main.html\n' });
    symlinkSync('/etc/hostname', join(directory, 'layouts', 'main.html'));
    const { code, stderr } = await diff(directory);
    expect(code).toBe(2);
    expect(stderr).toContain('layouts/main.yaml:2 file:main.html is outside the configuration folder');
    expect(await diff(directory, '--allow-outside')).toMatchObject({ code: 5 });

    const linked = folderOf({});
    symlinkSync(join(directory, 'layouts'), join(linked, 'layouts'));
    expect((await diff(linked)).stderr).toMatch(/layouts.*is outside the configuration folder/);
  });

  it('is not read from a device, which may have no end', async () => {
    const directory = folderOf({ 'layouts/main.yaml': 'name: main\ncontent: file:main.html\n' });
    symlinkSync('/dev/zero', join(directory, 'layouts', 'main.html'));
    expect((await diff(directory, '--allow-outside')).stderr).toContain(
      'layouts/main.yaml:2 file:main.html is not a file.',
    );
  });

  it('may have 8 MiB', async () => {
    const directory = folderOf({
      'layouts/main.yaml': 'name: main\ncontent: file:main.html\n',
      'layouts/main.html': 'x'.repeat(9 * 1024 * 1024),
    });
    expect((await diff(directory)).stderr).toContain('exceeds the limit of 8 MiB');
  });
});

describe('a YAML file', () => {
  it('cannot expand aliases', () => {
    const levels = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`);
    const parsed = parseYaml(['a0: &a0 [x, x]', ...levels].join('\n'));
    expect(parsed).toMatchObject({
      issues: expect.arrayContaining([{ line: 2, message: expect.stringMatching(/Aliases/) }]),
    });
  });

  it('may be nested too deeply', () => {
    expect(parseYaml(`a: ${'['.repeat(200_000)}`)).toMatchObject({ issues: [expect.anything()] });
    expect(parseYaml(`a: ${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toMatchObject({
      issues: [expect.anything()],
    });
  });

  it('keeps a key such as __proto__ as one', () => {
    const parsed = parseYaml('__proto__:\n  admin: true\nconstructor: 1\n');
    const { data } = (parsed as { file: { data: object } }).file;
    expect(Object.keys(data)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect(JSON.stringify(data)).toBe('{"__proto__":{"admin":true},"constructor":1}');
  });

  it('says yes and no as texts, as YAML 1.2 does', () => {
    const parsed = parseYaml('country: no\nenabled: true\ntime: 2026-11-21\n');
    expect(parsed).toMatchObject({ file: { data: { country: 'no', enabled: true, time: '2026-11-21' } } });
  });
});

describe('a plan', () => {
  it('shows neither the new nor the old value of a field with a reference', () => {
    const folder = readFolder(folderOf({ 'channels/shop.yaml': CHANNEL }), {});
    const field = (from: string | null) => ({ path: '/config/secret_headers/X-Key', from, to: 'hunter2' });
    const change = {
      action: 'update',
      kind: 'channel',
      key: 'webhook Shop',
      scope: 'channels:write',
    } as const;
    const shown = (from: string | null) =>
      withReferences({ changes: [{ ...change, fields: [field(from)] }] }, folder).changes[0]?.fields[0];
    expect(shown('rotated')).toEqual({ ...field('(another value)'), to: 'env:SHOP_KEY' });
    expect(shown(null)).toEqual({ ...field(null), to: 'env:SHOP_KEY' });
  });
});
