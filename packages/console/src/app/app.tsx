import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient, readSession, SESSION_KEY, SessionContext, signIn } from '../api/session.ts';
import { ErrorNotice, Toasts } from '../ui/feedback.tsx';
import { createConsoleRouter } from './routes.tsx';
import { restoreScreen, SignIn } from './sign-in.tsx';

/** Takes the code of a one-time link from the URL's fragment and removes it there before it is used. */
function takeLink(): string | null {
  const [, link] = /^#link=([\w.~-]+)$/.exec(window.location.hash) ?? [];
  if (!link) return null;
  window.history.replaceState(null, '', `${window.location.pathname}#/`);
  return link;
}

// If the console is already open, opening a link only changes the fragment.
window.addEventListener('hashchange', () => {
  if (window.location.hash.startsWith('#link=')) window.location.reload();
});

const link = takeLink();
restoreScreen();
let linkError: unknown = null;

async function openSession() {
  if (link === null) return readSession();
  try {
    return await signIn({ link });
  } catch (error) {
    // The link was already used, for example because the page was reloaded: there may be a session.
    linkError = error;
    return readSession();
  }
}

function Session() {
  const { data, error, refetch, isPending } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: openSession,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const [router] = useState(createConsoleRouter);
  if (isPending) return null;
  if (error)
    return (
      <main className="sign-in">
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </main>
    );
  if (!data) return <SignIn linkError={linkError} />;
  return (
    <SessionContext value={data}>
      <RouterProvider router={router} />
    </SessionContext>
  );
}

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <Session />
      </Toasts>
    </QueryClientProvider>
  );
}
