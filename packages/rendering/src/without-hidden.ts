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

/** A length or number that is zero, such as `0`, `0px` or `0.0`. It takes time linear in the text. */
const ZERO = /^[+-]?(?:0+(?:\.0+)?|\.0+)(?:[a-z]+|%)?$/;

const isZero = (value: string | undefined) => value !== undefined && ZERO.test(value);

/** Elements whose content is not shown. */
const NOT_SHOWN: readonly string[] = ['script', 'style', 'template', 'title'];

/** Whether nobody sees the element with all that is in it. */
function isHidden(
  name: string,
  attributes: Readonly<Record<string, string>>,
  styles: ReadonlyMap<string, string>,
) {
  if ('hidden' in attributes || NOT_SHOWN.includes(name)) return true;
  if (styles.get('display') === 'none' || styles.get('visibility') === 'hidden') return true;
  if (isZero(styles.get('max-height')) || isZero(styles.get('opacity'))) return true;
  // A link is hidden from Outlook alone, which shows a button of its own instead.
  return styles.get('mso-hide') === 'all' && name !== 'a';
}

/**
 * Removes what a reader of the HTML of an email does not see, such as preheaders. Text of size 0 is removed without the
 * elements in it: layouts, such as those of MJML, set that size for cells whose contents have their own.
 */
export function withoutHidden(html: string): string {
  let shown = '';
  let end = 0;
  const drop = (from: number, to: number) => {
    shown += html.slice(end, Math.max(from, end));
    end = Math.max(to, end);
  };
  /** For each open element whether it is hidden, and whether its text has the size 0. */
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
