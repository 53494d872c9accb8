import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf, SITE, SOURCE } from '../../scripts/docs-pages.mjs';

/** Written by scripts/docs.mjs, which builds the site. */
const { sidebar, version, base } = JSON.parse(readFileSync(join(SOURCE, 'site.json'), 'utf8'));

export default defineConfig({
  title: 'Postrider',
  description: 'Accepts product events over HTTP and delivers the email and the webhooks they call for.',
  base,
  srcDir: SOURCE,
  srcExclude: ['public/**'],
  outDir: join(SITE, version),
  cacheDir: join(SOURCE, '..', 'cache'),
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
  // The reference is large.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  markdown: {
    // The links in the pages have the anchors of GitHub.
    anchor: { slugify: anchorOf },
    html: false,
    languageAlias: { haproxy: 'ini' },
    config(md) {
      // Liquid in the pages is not Vue. VitePress itself sees to fenced code.
      for (const name of ['code_block', 'code_inline', 'text']) {
        const render = md.renderer.rules[name];
        md.renderer.rules[name] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar,
    version,
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
});
