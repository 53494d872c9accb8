/**
 * Builds the documentation site into dist/docs/site, and fails on links that lead nowhere: `npm run docs`.
 *
 *     npm run docs -- --base /docs/   for a site that is not at the root of its host
 *     npm run docs -- --source URL    where a browser shows the files of this version, such as https://git.example.com/blob/v0.2.0
 *     npm run docs -- --serve         shows the site afterwards
 *
 * The site has a folder for each version, and versions.json beside them. Publish it by copying it over the one that is served: the
 * folders of earlier versions stay.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import {
  llmsText,
  mapLinks,
  pageFiles,
  pageOf,
  placeOf,
  SITE,
  SOURCE,
  sections,
  targetOf,
} from './docs-pages.mjs';
import { referencePages, slugOf } from './docs-reference.mjs';
import { prepare } from './prepare.mjs';
import { CommandFailed, main, ROOT } from './root.mjs';

const CONFIG = join(ROOT, 'docs', '.vitepress');
const OPENAPI = 'packages/client/openapi.json';
const LANGUAGES = {
  '.mjs': 'js',
  '.py': 'python',
  '.go': 'go',
  '.rb': 'ruby',
  '.php': 'php',
  '.java': 'java',
  '.sh': 'bash',
};
/** A list whose items are nothing but links to programs. */
const PROGRAMS = /^(?:- \[[^\]]+\]\([^)]+\.(?:mjs|py|go|rb|php|java|sh)\)\n)+/gm;
/** Each diagram is of the way of an event; the site has no Mermaid. */
const DIAGRAM = /^```mermaid\n[\s\S]*?^```$/gm;
const PICTURE =
  'Your product sends an event to the API, which writes it to PostgreSQL; workers claim the deliveries and send them';

const read = (...path) => readFileSync(join(...path), 'utf8');

function write(place, text) {
  mkdirSync(dirname(join(SOURCE, place)), { recursive: true });
  writeFileSync(join(SOURCE, place), text);
}

/** Shows the programs of a list of links as tabs. */
const withPrograms = (file, text) =>
  text.replace(PROGRAMS, (list) => {
    const tabs = [...list.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)$/gm)].map(([, label, link]) => {
      const { path } = targetOf(file, link);
      return `\`\`\`${LANGUAGES[extname(path)]} [${label}]\n${read(ROOT, path)}\`\`\`\n`;
    });
    return `::: code-group\n\n${tabs.join('\n')}\n:::\n`;
  });

/** Lays down a page. Its links lead to pages of the site; those to other files lead to `source`, or are text without it. */
function layDown({ file, text }, files, source) {
  const place = placeOf(file);
  const linkTo = (target) => relative(dirname(place), target);
  const linked = mapLinks(withPrograms(file, text), ({ target, label, isImage }) => {
    const { path, anchor } = targetOf(file, target) ?? {};
    if (path === undefined) return undefined;
    if (isImage) {
      cpSync(join(ROOT, path), join(SOURCE, path));
      return `![${label}](./${linkTo(path)})`;
    }
    if (files.has(path)) return `[${label}](${linkTo(placeOf(path))}${anchor})`;
    if (path === OPENAPI) return `[${label}](${linkTo('reference/index.md')})`;
    return source ? `[${label}](${source}/${path})` : label;
  });
  const own = linked.replace(DIAGRAM, `![${PICTURE}](./${linkTo('event.svg')})`);
  write(place, own);
  // For agents, beside the page.
  write(join('public', place), own);
  return own;
}

const linkOf = (file) => `/${placeOf(file).replace(/(?:index)?\.md$/, '')}`;

/** Writes what VitePress builds the site from. */
function assemble(version, base, source) {
  rmSync(SOURCE, { recursive: true, force: true });
  const files = new Set(pageFiles());
  const texts = new Map([...files].map((file) => [file, layDown(pageOf(file), files, source)]));
  const document = JSON.parse(read(ROOT, OPENAPI));
  for (const [name, text] of Object.entries(referencePages(document))) write(`reference/${name}.md`, text);
  cpSync(join(ROOT, OPENAPI), join(SOURCE, 'public', 'openapi.json'));
  cpSync(join(ROOT, 'packages/console/public/icon.svg'), join(SOURCE, 'public', 'icon.svg'));
  cpSync(join(CONFIG, 'event.svg'), join(SOURCE, 'event.svg'));
  cpSync(join(CONFIG, 'home.md'), join(SOURCE, 'index.md'));

  const byRole = sections();
  const sidebar = byRole.map(({ name, pages }) => ({
    text: name,
    collapsed: name === 'Evaluation',
    items: pages.map(({ file, title }) => ({ text: title, link: linkOf(file) })),
  }));
  const reference = document.tags.map(({ name }) => ({ text: name, link: `/reference/${slugOf(name)}` }));
  const overview = { text: 'Overview', link: '/reference/' };
  sidebar.push({ text: 'HTTP interface', collapsed: true, items: [overview, ...reference] });
  write('site.json', JSON.stringify({ sidebar, version, base }));

  const llms = llmsText();
  write('public/llms.txt', llms.replaceAll('](docs/', ']('));
  const listed = byRole.flatMap(({ pages }) => pages.map(({ file }) => texts.get(file)));
  write('public/llms-full.txt', listed.join('\n\n'));
  return llms;
}

function* htmlBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.name.endsWith('.html')) yield join(entry.parentPath ?? entry.path, entry.name);
}

/** Links to headings that are not there, and files of other hosts that a page loads. VitePress itself finds links to missing pages. */
function issuesOf(folder, base) {
  const pages = new Map([...htmlBelow(folder)].map((file) => [relative(folder, file), read(file)]));
  const ids = new Map(
    [...pages].map(([page, html]) => [
      page,
      new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  return [...pages].flatMap(([page, html]) => {
    const anchors = [...html.matchAll(/ href="([^"#]*)#([^"]+)"/g)].filter(([, path, anchor]) => {
      if (path !== '' && !path.startsWith(base)) return false;
      const target = path === '' ? page : path.slice(base.length).replace(/^$|\/$/, '$&index.html');
      return !ids.get(target)?.has(decodeURIComponent(anchor));
    });
    const foreign = [...html.matchAll(/<(?:script|img|link)[^>]+(?:src|href)="(?:https?:)?\/\/[^"]*"/g)];
    return [
      ...anchors.map(([link]) => `${page}: no such heading:${link}`),
      ...foreign.map(([tag]) => `${page}: ${tag}`),
    ];
  });
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      base: { type: 'string', default: '/' },
      source: { type: 'string' },
      serve: { type: 'boolean' },
    },
  });
  await prepare();
  const versions = JSON.parse(read(CONFIG, 'versions.json'));
  const [version] = versions;
  const base = `${values.base.replace(/\/$/, '')}/${version}/`;
  const llms = assemble(version, base, values.source);
  const { build, serve } = await import('vitepress');
  await build(join(ROOT, 'docs'), { logLevel: 'error' });
  const newest = `<!doctype html>\n<title>Postrider</title>\n<meta http-equiv="refresh" content="0; url=${version}/">\n`;
  writeFileSync(join(SITE, 'index.html'), newest);
  writeFileSync(join(SITE, 'versions.json'), JSON.stringify(versions));

  const issues = issuesOf(join(SITE, version), base);
  if (issues.length > 0) throw new CommandFailed(issues.join('\n'));
  const list = join(ROOT, 'docs', 'llms.txt');
  if (read(list) !== llms) {
    writeFileSync(list, llms);
    throw new CommandFailed('docs/llms.txt did not list these pages. It is written: commit it.');
  }
  if (values.serve) {
    await serve({ root: join(ROOT, 'docs'), base });
    return new Promise(() => undefined);
  }
  process.stdout.write(`The site is in ${relative(ROOT, SITE)}\n`);
});
