import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import { withoutHidden } from './without-hidden.ts';

const BLOCKS: readonly string[] = ['div', 'p'];
const LINES = ['tr', 'dt', 'dd'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** The contents of a cell. A single block in it does not begin a line, so that the row stays on one. */
function contentsOf(cell: DomNode): DomNode[] {
  const isBlank = ({ type, data = '' }: DomNode) =>
    type === 'comment' || (type === 'text' && data.trim() === '');
  const contents = cell.children.filter((node) => !isBlank(node));
  const [only] = contents;
  return contents.length === 1 && only?.name !== undefined && BLOCKS.includes(only.name)
    ? contentsOf(only)
    : contents;
}

const formatCell: FormatCallback = (cell, walk, builder) => {
  walk(contentsOf(cell), builder);
  builder.addInline(' ');
};

const formatAlt: FormatCallback = ({ attribs }, _walk, builder) => {
  if (attribs.alt) builder.addInline(` ${attribs.alt} `);
};

const OPTIONS: HtmlToTextOptions = {
  wordwrap: 78,
  // The library recurses into nested elements; no mail is nested this deep, and a hostile one must not
  // exhaust the stack.
  limits: { maxDepth: 100, ellipsis: '' },
  formatters: { formatCell, formatAlt },
  selectors: [
    { selector: 'img', format: 'formatAlt' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ...LINES.map((selector) => ({
      selector,
      format: 'block',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    // In capitals, a code or a case-sensitive name in a heading would be another one.
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'td', format: 'formatCell' },
    { selector: 'th', format: 'formatCell' },
  ],
};

const convert = compile(OPTIONS);

/**
 * Derives the text part of an email from its HTML (docs/specification.md, "Email"). Keeps links and the alternative
 * text of images, writes each row of a table on a line, keeps the case of every letter, and leaves out what the HTML hides.
 */
export const toPlainText = (html: string): string => convert(withoutHidden(html));
