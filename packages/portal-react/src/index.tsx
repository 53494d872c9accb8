'use client';

import { type CSSProperties, useEffect, useRef, useState } from 'react';

export interface PostriderPortalProps {
  /** `url` of a new portal session: `POST /api/v1/consumers/{id}/portal-sessions`. It works once, so make one for each page. */
  readonly url: string;
  /** The name of the frame for screen readers. */
  readonly title?: string;
  readonly style?: CSSProperties;
  /** Called when the session has ended, or when its link cannot be used: give the component a new `url`. */
  readonly onExpired?: () => void;
}

/** Before the portal has told its height, in pixels. */
const FIRST_HEIGHT = 480;

/**
 * Shows the portal in a frame that is as high as its content. Only messages of the frame and its origin are read. A page that the
 * server renders has no frame until the component listens: the frame would tell its height before, and after "Back" the
 * browser would show the last address of the frame, which has no link.
 */
export function PostriderPortal({ url, title = 'Webhooks', style, onExpired }: PostriderPortalProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const expired = useRef(onExpired);
  expired.current = onExpired;
  const [shown, setShown] = useState<string>();
  const [height, setHeight] = useState(FIRST_HEIGHT);
  useEffect(() => {
    const { origin } = new URL(url, window.location.href);
    const read = ({ source, origin: from, data }: MessageEvent) => {
      if (from !== origin || source !== frame.current?.contentWindow) return;
      if (data?.type === 'postrider:height' && Number.isFinite(data.height)) setHeight(data.height);
      if (data?.type === 'postrider:expired') expired.current?.();
    };
    window.addEventListener('message', read);
    setShown(url);
    return () => window.removeEventListener('message', read);
  }, [url]);
  if (shown === undefined) return null;
  return (
    <iframe
      key={shown}
      ref={frame}
      src={shown}
      title={title}
      allow="clipboard-write"
      referrerPolicy="origin"
      style={{ display: 'block', width: '100%', border: 0, ...style, height }}
    />
  );
}
