import type { WindowLike } from 'dompurify';
import { Image } from 'lucide-react';
import { useRef, useState } from 'react';
import { cleanMailHtml } from './mail-html.ts';
import { Button } from './parts.tsx';

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
