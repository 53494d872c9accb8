/**
 * Every link of the Markdown files to a place in this repository leads somewhere: the file exists, and where
 * the link names a heading, the heading does. Fenced code is not looked at; links to the web are not
 * followed. The structure that the README draws is the one on disk.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const LINK = /(?<!!)\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|!\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;

const withoutCode = (text) => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '``');

/** As GitHub forms the anchor of a heading; a repeated one gets a number. */
function anchorsOf(path) {
  const seen = new Map();
  const text = readFileSync(path, 'utf8').replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  return new Set(
    [...text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, heading]) => {
      const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
      const times = seen.get(anchor) ?? 0;
      seen.set(anchor, times + 1);
      return times === 0 ? anchor : `${anchor}-${times}`;
    }),
  );
}

function faultOf(file, link) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return null;
  const [path, anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (!existsSync(target)) return 'there is no such file';
  if (!anchor || statSync(target).isDirectory() || !target.endsWith('.md')) return null;
  return anchorsOf(target).has(decodeURIComponent(anchor)) ? null : 'there is no such heading';
}

/**
 * The folders that the README draws, one a line and indented by two spaces, are those on disk; every
 * workspace is drawn.
 */
function faultsOfTree(file) {
  const drawing = /^```text\n(apps\/\n[\s\S]*?)^```/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (drawing === undefined) return [`${file}: the drawing of the structure is missing`];
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

const files = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).split('\n').filter(existsSync);
const faults = [];
let count = 0;
for (const file of files) {
  for (const [, link, image] of withoutCode(readFileSync(file, 'utf8')).matchAll(LINK)) {
    count += 1;
    const fault = faultOf(file, link ?? image);
    if (fault) faults.push(`${file}: ${link ?? image}: ${fault}`);
  }
}
faults.push(...faultsOfTree('README.md'));
process.stdout.write(`${count} links in ${files.length} Markdown files, ${faults.length} faults\n`);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
