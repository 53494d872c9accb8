/** Talks to the page that shows the portal in a frame. Nothing is sent if the portal is not in a frame. */

const isFramed = window.parent !== window;

/** The origin of the page around the frame; null if the browser does not tell. */
function parentOrigin(): string | null {
  const origin = window.location.ancestorOrigins?.[0];
  if (origin && origin !== 'null') return origin;
  try {
    return document.referrer ? new URL(document.referrer).origin : null;
  } catch {
    return null;
  }
}

const target = parentOrigin();

/** Tells the height of the page, in pixels, whenever it changes. The height is not secret: any parent may know it. */
export function reportHeight(): void {
  if (!isFramed) return;
  let last = 0;
  const report = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    window.parent.postMessage({ type: 'postrider:height', height }, target ?? '*');
  };
  new ResizeObserver(report).observe(document.body);
  report();
}

/** Tells that the session has ended, so that the page around can open another one. */
export function reportExpired(): void {
  if (isFramed && target) window.parent.postMessage({ type: 'postrider:expired' }, target);
}
