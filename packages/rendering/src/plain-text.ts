import { convert, type HtmlToTextOptions } from 'html-to-text';

const OPTIONS: HtmlToTextOptions = {
  wordwrap: 78,
  // The library recurses into nested elements; no mail is nested this deep, and a hostile one must not
  // exhaust the stack.
  limits: { maxDepth: 100, ellipsis: '' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
  ],
};

/**
 * The text part of an email whose template has none (docs/specification.md, "Email": HTML and text): links
 * kept, images left out.
 */
export function toPlainText(html: string): string {
  return convert(html, OPTIONS);
}
