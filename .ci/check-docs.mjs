/**
 * Checks the documentation against the repository:
 * - Every link in a Markdown file to a place in this repository leads to a file and, if it names one, a heading.
 *   Fenced code is left out; links to the web are not followed.
 * - Every citation such as `docs/specification.md, "Idempotency"` names a heading that exists.
 * - No text refers to a document outside the repository.
 * - The layout in docs/architecture.md is the one on disk, and the files that it names exist.
 * - The log lines that docs/runbook.md names are in the source of a process.
 * - The README is at most 8 KB.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorOf } from '../scripts/docs-pages.mjs';

const LINK = /(?<!!)\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|!\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;
const MAX_README_BYTES = 8_192;

const NOT_WRITTEN_BY_HAND =
  /^(prisma\/migrations\/|package-lock\.json$|packages\/client\/(openapi\.json|src\/generated))/;
/** The tracked files that match, without generated ones and those that Prisma keeps a checksum of. */
const tracked = (...patterns) =>
  execFileSync('git', ['ls-files', '-z', ...patterns], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\0')
    .filter((file) => file !== '' && existsSync(file) && !NOT_WRITTEN_BY_HAND.test(file));
const SOURCES = ['*.ts', '*.mjs', '*.md', '*.sql', '*.sh', '*.yml', '*.yaml', '*.tpl', '*.prisma', '.ci/run'];

const withoutCode = (text) => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '``');

function headingsOf(path) {
  const text = readFileSync(path, 'utf8').replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  return [...text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, heading]) => heading);
}

/** The anchors that GitHub makes from a page's headings; a repeated one gets a number. */
function anchorsOf(path) {
  const seen = new Map();
  return new Set(
    headingsOf(path).map((heading) => {
      const anchor = anchorOf(heading);
      const times = seen.get(anchor) ?? 0;
      seen.set(anchor, times + 1);
      return times === 0 ? anchor : `${anchor}-${times}`;
    }),
  );
}

function linkIssue(file, link) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return null;
  const [path, anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (!existsSync(target)) return 'there is no such file';
  if (!anchor || statSync(target).isDirectory() || !target.endsWith('.md')) return null;
  return anchorsOf(target).has(decodeURIComponent(anchor)) ? null : 'there is no such heading';
}

const BREAK = String.raw`(?:\s+|\s*\n\s*(?:\*|//|--|#)?\s*)`;
const wrapped = (source, flags = 'gi') => new RegExp(source.replaceAll(' ', BREAK), flags);
const lineOf = (text, index) => text.slice(0, index).split('\n').length;

const CITATION = wrapped(String.raw`(docs/[a-z-]+\.md), ("[^"\n]+"(?:(?:,| and) "[^"\n]+")*)`, 'g');

function citationIssues(file) {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(CITATION)].flatMap((found) => {
    const [, page, list] = found;
    if (!existsSync(page)) return [`${file}: cites ${page}, which is not there`];
    const headings = new Set(headingsOf(page));
    return [...list.matchAll(/"([^"]+)"/g)]
      .map(([, heading]) => heading.replace(/\s+/g, ' '))
      .filter((heading) => !headings.has(heading))
      .map((heading) => `${file}:${lineOf(text, found.index)}: ${page} has no heading "${heading}"`);
  });
}

/** References that a reader of the repository could not look up. */
const OUTSIDE = [
  String.raw`\bcontract,? sections?\b`,
  String.raw`\bthe contract\b`,
  String.raw`(?<!docs/)\barchitecture, invariants?\b`,
  String.raw`\binterface specification\b`,
  String.raw`\bshared/(?:spec|product|hooks)\b`,
  String.raw`(?<!bullmq )\bissue \d{1,2}\b(?!\d)`,
].map((source) => wrapped(source));

function outsideIssues(file) {
  // This file contains the patterns.
  if (file === '.ci/check-docs.mjs') return [];
  const text = readFileSync(file, 'utf8');
  return OUTSIDE.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(
      (found) =>
        `${file}:${lineOf(text, found.index)}: refers to a document outside the repository: ${found[0]}`,
    ),
  );
}

/**
 * Compares the folders that a page draws (one per line, indented by two spaces) with those on disk. Every workspace
 * must be drawn.
 */
function layoutIssues(file) {
  const drawing = /^```text\n(apps\/\n[\s\S]*?)^```/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (drawing === undefined) return [`${file}: the drawing of the layout is missing`];
  const parents = [];
  const drawn = drawing
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent, name] = /^( *)(\S+)/.exec(line);
      parents.length = indent.length / 2;
      parents.push(name.replace(/\/$/, ''));
      return parents.join('/');
    });
  const missing = drawn
    .filter((path) => !existsSync(path))
    .map((path) => `${file}: draws ${path}, which is not there`);
  const workspaces = ['apps', 'packages'].flatMap((root) =>
    readdirSync(root).map((name) => `${root}/${name}`),
  );
  const undrawn = workspaces
    .filter(
      (path) => existsSync(join(path, 'package.json')) && !drawn.some((other) => other.startsWith(path)),
    )
    .map((path) => `${file}: does not draw ${path}`);
  return [...missing, ...undrawn];
}

/** Files of the repository that a page names as code. */
const pathIssues = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/`((?:apps|packages)\/[^`\s]+)`/g)]
    .filter(([, path]) => !existsSync(path))
    .map(([, path]) => `${file}: names ${path}, which is not there`);

/** Log lines that a page names and no process writes. */
function logLineIssues(file) {
  const sources = tracked('apps/*/src/*.ts', 'packages/*/src/*.ts').map((path) => readFileSync(path, 'utf8'));
  return [...readFileSync(file, 'utf8').matchAll(/log line `([^`]+)`/g)]
    .filter(([, line]) => !sources.some((text) => text.includes(`'${line}`) || text.includes(`\`${line}`)))
    .map(([, line]) => `${file}: names the log line "${line}", which no process writes`);
}

function sizeIssues(file) {
  const { size } = statSync(file);
  return size <= MAX_README_BYTES ? [] : [`${file}: has ${size} bytes; at most ${MAX_README_BYTES}`];
}

const pages = tracked('*.md');
const links = pages.flatMap((file) =>
  [...withoutCode(readFileSync(file, 'utf8')).matchAll(LINK)].map(([, link, image]) => ({
    file,
    link: link ?? image,
  })),
);
const issues = [
  ...links.flatMap(({ file, link }) => {
    const issue = linkIssue(file, link);
    return issue ? [`${file}: ${link}: ${issue}`] : [];
  }),
  ...tracked(...SOURCES).flatMap(citationIssues),
  ...tracked(...SOURCES).flatMap(outsideIssues),
  ...layoutIssues('docs/architecture.md'),
  ...pathIssues('docs/architecture.md'),
  ...logLineIssues('docs/runbook.md'),
  ...sizeIssues('README.md'),
];
process.stdout.write(`${links.length} links in ${pages.length} Markdown files, ${issues.length} issues\n`);
for (const issue of issues) process.stdout.write(`${issue}\n`);
process.exitCode = issues.length > 0 ? 1 : 0;
