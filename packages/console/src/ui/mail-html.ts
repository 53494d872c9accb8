import createPurifier, { type WindowLike } from 'dompurify';

/** Elements that DOMPurify allows in HTML, but that connect to a server, or ask the reader for something. */
const FORBIDDEN_ELEMENTS = [
  ...['audio', 'video', 'source', 'track', 'template', 'dialog'],
  ...['form', 'button', 'input', 'select', 'option', 'optgroup', 'textarea', 'datalist'],
];
/** Attributes that name something to load, besides the `src` and `background` of images. */
const FORBIDDEN_ATTRIBUTES = ['srcset', 'sizes', 'poster', 'ping', 'action', 'formaction'];

/** A link would open within the frame, and a browser may look up or connect to its host before a click. */
function showAddress(element: Element): void {
  const target = element.getAttribute('href');
  if (target === null) return;
  element.removeAttribute('href');
  element.setAttribute('title', target);
}

/**
 * The HTML of an email without anything that runs, connects or navigates: no frames, objects, links to resources, `meta`,
 * `base`, forms, media or SVG. The address of a link becomes its title. Images and styles stay: the policy of the page that
 * shows them decides what they load. The HTML is parsed in the window of that page, whose policy allows its styles.
 */
export function cleanMailHtml(html: string, window: WindowLike): string {
  const purifier = createPurifier(window);
  purifier.addHook('afterSanitizeAttributes', showAddress);
  return purifier.sanitize(html, {
    WHOLE_DOCUMENT: true,
    USE_PROFILES: { html: true },
    ADD_TAGS: ['!doctype'],
    // No script runs in the frame that an id could mislead, and styles name ids.
    SANITIZE_DOM: false,
    FORBID_TAGS: FORBIDDEN_ELEMENTS,
    FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
  });
}
