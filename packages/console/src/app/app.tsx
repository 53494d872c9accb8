import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient, readSession, SESSION_KEY, SessionContext, signIn } from '../api/session.ts';
import { ErrorNotice, Toasts } from '../ui/feedback.tsx';
import { createConsoleRouter } from './routes.tsx';
import { SignIn } from './sign-in.tsx';

/** The code of a one-time link is in the fragment; it is taken out of the address before it is used. */
function takeLink(): string | null {
  const [, link] = /^#link=([\w.~-]+)$/.exec(window.location.hash) ?? [];
  if (!link) return null;
  window.history.replaceState(null, '', `${window.location.pathname}#/`);
  return link;
}

// A link that is opened where the console is open already changes the fragment alone.
window.addEventListener('hashchange', () => {
  if (window.location.hash.startsWith('#link=')) window.location.reload();
});

const link = takeLink();
let linkError: unknown = null;

async function openSession() {
  if (link === null) return readSession();
  try {
    return await signIn({ link });
  } catch (error) {
    // The link is used up, for example because the page was loaded again: the session may be there.
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
