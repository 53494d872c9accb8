import { Parser } from 'htmlparser2';

/** Elements without an end. */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);
/** Elements whose content is not shown. */
const NOT_SHOWN = new Set(['head', 'script', 'style', 'template', 'title']);
const HIDING =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|$|!))/i;

const isHidden = (name: string, { hidden, style = '' }: Readonly<Record<string, string>>) =>
  NOT_SHOWN.has(name) || hidden !== undefined || HIDING.test(style);

/** Whether HTML has a link to this URL that people can see: with a text or an image, in no hidden element. */
export function hasVisibleLink(html: string, url: string): boolean {
  if (!html.includes(url)) return false;
  let isFound = false;
  let hiddenDepth = 0;
  let isInLink = false;
  const show = () => {
    if (isInLink && hiddenDepth === 0) isFound = true;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'a') isInLink = attributes.href?.trim().startsWith(url) === true;
      if (VOID.has(name)) {
        if (name === 'img' && !isHidden(name, attributes)) show();
      } else if (hiddenDepth > 0 || isHidden(name, attributes)) hiddenDepth += 1;
    },
    ontext(text) {
      if (text.trim() !== '') show();
    },
    onclosetag(name) {
      if (name === 'a') isInLink = false;
      if (hiddenDepth > 0 && !VOID.has(name)) hiddenDepth -= 1;
    },
  });
  parser.end(html);
  return isFound;
}
