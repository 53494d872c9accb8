import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import { Parser } from 'htmlparser2';

/** The last value of each property of a `style` attribute, in lower case, without `!important`. */
function stylesOf(style: string): ReadonlyMap<string, string> {
  const styles = new Map<string, string>();
  for (const declaration of style.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const value = declaration.slice(colon + 1).replace('!important', '');
    styles.set(declaration.slice(0, colon).trim(), value.trim());
  }
  return styles;
}

/** A length or number that is zero, such as `0`, `0px` or `0.0`. */
const ZERO = /^[+-]?0*\.?0+(?:[a-z]+|%)?$/;

const isZero = (value: string | undefined) => value !== undefined && ZERO.test(value);

/** Whether nobody sees the element with all that is in it. */
function isHidden(
  name: string,
  attributes: Readonly<Record<string, string>>,
  styles: ReadonlyMap<string, string>,
) {
  if ('hidden' in attributes) return true;
  if (styles.get('display') === 'none' || styles.get('visibility') === 'hidden') return true;
  if (isZero(styles.get('max-height')) || isZero(styles.get('opacity'))) return true;
  // A link is hidden from Outlook alone, which shows a button of its own instead.
  return styles.get('mso-hide') === 'all' && name !== 'a';
}

/**
 * Removes what a reader of the HTML does not see, such as preheaders. Text of size 0 is removed without the elements
 * in it: layouts set that size for cells whose contents have their own.
 */
function withoutHidden(html: string): string {
  let shown = '';
  let end = 0;
  const drop = (from: number, to: number) => {
    shown += html.slice(end, Math.max(from, end));
    end = Math.max(to, end);
  };
  /** Of each open element: whether it is hidden, and whether its text has the size 0. */
  const open: { readonly isHidden: boolean; readonly isTiny: boolean }[] = [];
  /** How many open elements are hidden, and where the outermost one begins. */
  let hidden = 0;
  let start = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      const styles = stylesOf(attributes.style ?? '');
      const size = styles.get('font-size');
      const element = {
        isHidden: isHidden(name, attributes, styles),
        isTiny: size === undefined ? (open.at(-1)?.isTiny ?? false) : isZero(size),
      };
      open.push(element);
      if (!element.isHidden) return;
      if (hidden === 0) start = parser.startIndex;
      hidden += 1;
    },
    ontext(text) {
      if (open.at(-1)?.isTiny && text.trim() !== '') drop(parser.startIndex, parser.endIndex + 1);
    },
    onclosetag(_name, isImplied) {
      if (!open.pop()?.isHidden) return;
      hidden -= 1;
      // The end of an element without an end tag is where the next one begins.
      if (hidden === 0) drop(start, isImplied ? parser.startIndex : parser.endIndex + 1);
    },
  });
  parser.end(html);
  return shown + html.slice(end);
}

const BLOCKS: readonly string[] = ['div', 'p'];

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
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'formatCell' },
    { selector: 'th', format: 'formatCell' },
  ],
};

const convert = compile(OPTIONS);

/**
 * Derives the text part of an email from its HTML (docs/specification.md, "Email"). Keeps links and the alternative
 * text of images, writes each row of a table on a line, and leaves out what the HTML hides.
 */
export const toPlainText = (html: string): string => convert(withoutHidden(html));
