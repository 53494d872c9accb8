import { Parser } from 'htmlparser2';
import { withoutHidden } from './without-hidden.ts';

/** Whether HTML has a link to this URL that people can see, with a text or an image. */
export function hasVisibleLink(html: string, url: string): boolean {
  if (!html.includes(url)) return false;
  let isFound = false;
  let isInLink = false;
  const show = () => {
    if (isInLink) isFound = true;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'a') isInLink = attributes.href?.trim().startsWith(url) === true;
      if (name === 'img') show();
    },
    ontext(text) {
      if (text.trim() !== '') show();
    },
    onclosetag(name) {
      if (name === 'a') isInLink = false;
    },
  });
  parser.end(withoutHidden(html));
  return isFound;
}
