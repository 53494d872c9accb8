import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';
import { describe, expect, it } from '@postrider/testing';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const tracked = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

const FILES = tracked(
  '*.md',
  '*.yml',
  '*.mjs',
  'docker/Dockerfile',
  'package.json',
  '*/package.json',
  '.ci/run',
).filter((file) => !/^(CHANGELOG|docs\/decisions\/)/.test(file));
const TEST_FILES = tracked('*.test.ts').map((file) => join(ROOT, file));
const { scripts } = JSON.parse(read('package.json'));

/** The first group of every match in all files, with the file. */
function mentions(pattern: RegExp): { file: string; words: string[] }[] {
  return FILES.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, text = '']) => ({ file, words: text.trim().split(/\s+/) })),
  );
}

/** A command ends at the end of its line, before a quote, and before two blanks, which an explanation follows. */
const UNTIL_END = String.raw`((?: ?[^\s\`'"&|;,)…]+)+)`;

describe('a command in a document, workflow, compose file or package', () => {
  it('runs an existing script', () => {
    const named = mentions(/npm run (?:--silent )?([\w:-]*\w)/g);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ words: [name = ''] }) => !(name in scripts))).toEqual([]);
  });

  it('runs an existing file', () => {
    const named = mentions(/\bnode ((?:\.\.\/\.\.\/)?(?:scripts|docker|\.ci)\/[\w./-]+)/g);
    expect(named.length).toBeGreaterThan(20);
    expect(
      named.filter(({ words: [path = ''] }) => !existsSync(join(ROOT, path.replace('../../', '')))),
    ).toEqual([]);
  });

  it('selects tests by a path that some have', () => {
    const named = mentions(new RegExp(`npm test -- ${UNTIL_END}`, 'g'));
    expect(named.length).toBeGreaterThan(15);
    const selectsNone = (word: string) => !TEST_FILES.some((file) => file.includes(word));
    expect(named.filter(({ words }) => words.some(selectsNone))).toEqual([]);
  });

  it('selects a workspace by a directory that it has', () => {
    const roots = mentions(/scripts\/test\.mjs --roots=([\w./-]+)/g);
    expect(roots.length).toBeGreaterThan(10);
    expect(roots.filter(({ words: [root = ''] }) => !existsSync(join(ROOT, root)))).toEqual([]);
  });

  it('names a compose file and services that exist', () => {
    const named = mentions(new RegExp(`docker compose -f ${UNTIL_END}`, 'g'));
    expect(named.length).toBeGreaterThan(5);
    const wrong = named.filter(({ words: [file = '', ...words] }) => {
      const { services } = parse(read(file), { merge: true });
      const [verb, ...rest] = words[0] === '-f' ? words.slice(2) : words;
      const targets = rest.filter((word) => !/^(--|\d+$)/.test(word));
      return !targets.slice(0, verb === 'run' ? 1 : undefined).every((target) => target in services);
    });
    expect(wrong).toEqual([]);
  });
});
