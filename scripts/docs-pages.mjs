/** The pages of the documentation: which they are, where the site has them, and their links. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { ROOT } from './root.mjs';

export const SOURCE = join(ROOT, 'dist', 'docs', 'source');
export const SITE = join(ROOT, 'dist', 'docs', 'site');

/** The anchor that GitHub makes of a heading. */
export const anchorOf = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const CODE_OR_LINK = /^(```|~~~)[\s\S]*?^\1|`[^`\n]*`|(!?)\[((?:`[^`]*`|[^\]])*)\]\(\s*<?([^)\s>]+)>?\s*\)/gm;

/** Replaces each link and picture of a text outside of code by what `change` returns for its target, or keeps it. */
export const mapLinks = (text, change) =>
  text.replace(CODE_OR_LINK, (found, _fence, image, label, target) =>
    target === undefined ? found : (change({ target, label, isImage: image === '!' }) ?? found),
  );

const read = (file) => readFileSync(join(ROOT, file), 'utf8');
const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;

/** A page: its text without front matter, its title, the sentence below that, and the section that its front matter names. */
export function pageOf(file) {
  const raw = read(file);
  const [, settings = ''] = FRONT_MATTER.exec(raw) ?? [];
  const text = raw.replace(FRONT_MATTER, '').trimStart();
  const [, title = file] = /^# (.+)$/m.exec(text) ?? [];
  const [, paragraph = ''] =
    /^# .+\n+([^#|`\n-].*(?:\n[^#|`\n-].*)*)/m.exec(text.replace(/^```[\s\S]*?^```\n+/gm, '')) ?? [];
  const plain = mapLinks(paragraph.replace(/\s+/g, ' '), ({ label }) => label);
  const [sentence = plain] = /^.*?[.](?= |$)/.exec(plain) ?? [];
  const [, section = 'Guides'] = /^section: *(.+)$/m.exec(settings) ?? [];
  return { file, text, title, section, summary: sentence.replace(/:$/, '.') };
}

const quickstartFirst = (one, other) =>
  other.file.includes('quickstart') - one.file.includes('quickstart') || (one.file < other.file ? -1 : 1);

/** The pages by their readers: guides, which name theirs in their front matter, come before the others. */
export function sections() {
  const listed = JSON.parse(read('docs/.vitepress/pages.json'));
  const guides = pageFiles()
    .filter((file) => file.startsWith('docs/guides/'))
    .map(pageOf);
  const names = new Set([...Object.keys(listed), ...guides.map(({ section }) => section)]);
  return [...names].map((name) => ({
    name,
    pages: [
      ...guides.filter(({ section }) => section === name).sort(quickstartFirst),
      ...Object.entries(listed[name] ?? {}).map(([file, title]) => ({ ...pageOf(file), title })),
    ],
  }));
}

/** The list of the documentation for agents (https://llmstxt.org), which the API and the site serve. */
export function llmsText() {
  const list = sections().flatMap(({ name, pages }) => {
    const own = pages.filter(({ file }) => /^docs\/(?:guides\/)?[^/]+$/.test(file));
    const lines = own.map(({ file, title, summary }) => `- [${title}](${file}): ${summary}`);
    return lines.length === 0 ? [] : [`## ${name}`, '', ...lines, ''];
  });
  return [
    '# Postrider',
    '',
    '> Accepts product events over HTTP and delivers the email and the webhooks they call for, at least once and accountably.',
    '',
    '- [HTTP interface](openapi.json): every operation, field, bound and error code, as an OpenAPI document.',
    '',
    ...list,
  ].join('\n');
}

/** The place of a page in the site, by its path in the repository. */
export const placeOf = (file) =>
  file === 'README.md'
    ? 'start.md'
    : file
        .replace(/^docs\//, '')
        .replace(/^decisions\/README\.md$/, 'decisions/index.md')
        .replace(/^(packages\/.+)\/README\.md$/, '$1.md')
        .replace(/^[^/]+$/, (name) => name.toLowerCase());

/** What a link of a page leads to: a path in the repository and an anchor. Null for the web, and the page itself. */
export function targetOf(file, link) {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(link)) return null;
  const [path, anchor] = link.split('#');
  const target = normalize(join(dirname(file), decodeURIComponent(path))).replace(/\/$/, '');
  const readme = join(target, 'README.md');
  const isDirectory = existsSync(join(ROOT, target)) && statSync(join(ROOT, target)).isDirectory();
  const page = isDirectory && existsSync(join(ROOT, readme)) ? readme : target;
  return { path: page, anchor: anchor ? `#${anchor}` : '' };
}

/** The files of the pages: all of docs/, and every Markdown file that a page leads to. */
export function pageFiles() {
  const tracked = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'docs/*.md', 'README.md'];
  const files = execFileSync('git', tracked, { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && !file.startsWith('docs/.vitepress/') && existsSync(join(ROOT, file)));
  for (const file of files)
    mapLinks(read(file), ({ target }) => {
      const { path } = targetOf(file, target) ?? {};
      if (path?.endsWith('.md') && !files.includes(path)) files.push(path);
    });
  return files;
}

/** Copies what the API serves of the documentation into the root of an artefact. */
export const copyPages = (directory) =>
  cpSync(join(ROOT, 'docs'), join(directory, 'docs'), {
    recursive: true,
    filter: (path) => /^docs(?:\/guides)?(?:\/[^/]+\.(?:md|txt))?$/.test(relative(ROOT, path)),
  });
