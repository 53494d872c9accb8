import { createHash } from 'node:crypto';
import type { PageTexts } from './texts.ts';

/** The content of a page. */
export type PageContent =
  | {
      readonly state: 'ask' | 'done' | 'resubscribed';
      readonly stream: string;
      readonly sender: string;
      readonly canUndo: boolean;
    }
  | { readonly state: 'invalid' };

const STYLE =
  'body{margin:0;background:#f4f5f7;color:#1b1f24;font:1.0625rem/1.6 system-ui,sans-serif}' +
  'main{max-width:34rem;margin:12vh auto;padding:2rem;background:#fff;border:1px solid #d5d9df;border-radius:.5rem}' +
  'h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 1.5rem;overflow-wrap:anywhere}form{margin:0}' +
  'button{padding:.625rem 1.25rem;border:0;border-radius:.375rem;background:#1f4fd8;color:#fff;font:inherit;cursor:pointer}' +
  'button:focus-visible{outline:3px solid #1b1f24;outline-offset:2px}' +
  '@media(prefers-color-scheme:dark){body{background:#15181c;color:#eceff3}main{background:#1f2429;border-color:#3a424b}' +
  'button{background:#9db7ff;color:#10131a}button:focus-visible{outline-color:#fff}}' +
  '@media(max-width:38rem){main{margin:0;min-height:100vh;box-sizing:border-box;border:0;border-radius:0}}';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

/** The page loads nothing, runs no script, has one inline style, and posts only to its own origin. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${sha256(STYLE)}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A name in its own text direction. */
const isolated = (name: string) => `<bdi>${escapeHtml(name)}</bdi>`;

function sentence(template: string, names: { readonly stream: string; readonly sender: string }): string {
  return escapeHtml(template).replace(/\{(stream|sender)\}/g, (_, name: 'stream' | 'sender') =>
    isolated(names[name]),
  );
}

/** A form with one button, which posts to the page's own address. */
const form = (action: string, label: string) =>
  `<form method="post"><button name="action" value="${action}">${escapeHtml(label)}</button></form>`;

function bodyOf(texts: PageTexts, content: PageContent): { readonly title: string; readonly body: string } {
  if (content.state === 'invalid')
    return { title: texts.invalidTitle, body: `<p>${escapeHtml(texts.invalid)}</p>` };
  const { state, canUndo } = content;
  const button =
    state === 'done'
      ? canUndo
        ? form('resubscribe', texts.undo)
        : ''
      : form('unsubscribe', texts.unsubscribe);
  const role = state === 'ask' ? '' : ' role="status"';
  return { title: texts.title, body: `<p${role}>${sentence(texts[state], content)}</p>${button}` };
}

/** A page without scripts, in one language. */
export function formPage(language: string, texts: PageTexts, content: PageContent): string {
  const { title, body } = bodyOf(texts, content);
  return (
    `<!doctype html><html lang="${language}" dir="${texts.direction}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}
