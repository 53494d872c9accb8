import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys.ts';
import { accountOf, queryClient, readSession, signIn } from '../api/session.ts';
import { ErrorNotice } from '../ui/feedback.tsx';
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
    queryKey: keys.session(),
    queryFn: openSession,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  // It loads while the session is read, or while somebody signs in.
  const code = useQuery({
    queryKey: keys.code(),
    queryFn: () => import('./console.tsx'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return null;
  const failed = error ?? (data && code.error);
  if (failed)
    return (
      <main className="sign-in">
        {/* Browsers keep a failed import until the page is loaded again. */}
        <ErrorNotice error={failed} onRetry={() => (error ? void refetch() : window.location.reload())} />
      </main>
    );
  if (!data) return <SignIn linkError={linkError} />;
  // Nothing that one account typed is left to another.
  return code.data ? <code.data.Console key={accountOf(data)} session={data} /> : null;
}

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Session />
    </QueryClientProvider>
  );
}
