import createPurifier, { type WindowLike } from 'dompurify';
import { Image } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from './parts.tsx';

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
function cleanMailHtml(html: string, window: WindowLike): string {
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

/**
 * Shows the HTML of an email. It is cleaned first, because a browser connects to the host of a frame that a policy then
 * blocks. The frame allows no scripts and no forms. Its page has its own content security policy, which allows styles
 * but no connections, and the console's policy keeps it on this host. Images of other hosts load only if the user asks
 * for them. The email is only written into the chosen page.
 */
export function HtmlFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [hasImages, setImages] = useState(false);
  const src = hasImages ? './frame-images.html' : './frame.html';
  const show = () => {
    const page = frame.current?.contentDocument;
    if (page?.location.pathname !== new URL(src, document.baseURI).pathname) return;
    const clean = cleanMailHtml(html, frame.current?.contentWindow as unknown as WindowLike);
    page.open();
    page.write(clean);
    page.close();
  };
  return (
    <div className="stack-tight">
      <iframe
        key={`${hasImages} ${html}`}
        ref={frame}
        className="frame"
        title={title}
        sandbox="allow-same-origin"
        referrerPolicy="no-referrer"
        src={src}
        onLoad={show}
      />
      {!hasImages && /<img|background=|url\(/i.test(html) && (
        <div>
          <Button small icon={Image} onClick={() => setImages(true)}>
            Load remote images
          </Button>
        </div>
      )}
    </div>
  );
}
