import type { ErrorComponentProps } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorNotice, Notice } from '../ui/feedback.tsx';
import { Button } from '../ui/parts.tsx';

/** How browsers say that a file of the console did not arrive. */
const NOT_LOADED = /dynamically imported module|importing a module script|unable to preload/i;

/** A file of the console is missing: the connection failed, or another version was installed. */
function NotLoaded() {
  const [isBusy, setBusy] = useState(false);
  const [isAway, setAway] = useState(false);
  const retry = async () => {
    setBusy(true);
    const response = await fetch('./', { cache: 'no-store' }).catch(() => null);
    // Browsers keep a failed import until the page is loaded again. Without an answer they would show a page of their own.
    if (response?.ok) window.location.reload();
    else setAway(true);
    setBusy(false);
  };
  return (
    <Notice tone="bad" title="This screen could not be loaded.">
      <p>
        {isAway
          ? 'The service does not respond. Check your network, and try again in a moment.'
          : 'The connection failed, or the console was updated meanwhile. What you typed is kept.'}
      </p>
      <div>
        <Button small busy={isBusy} onClick={() => void retry()}>
          Try again
        </Button>
      </div>
    </Notice>
  );
}

/** Replaces a screen that failed; the navigation stays. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const isNotLoaded = error instanceof Error && NOT_LOADED.test(error.message);
  return isNotLoaded ? <NotLoaded /> : <ErrorNotice error={error} onRetry={reset} />;
}
