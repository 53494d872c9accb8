import { PostriderApiError } from '@postrider/client';
import { QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { BASE_URL, onRefusal } from './connection.ts';
import { type Account, call, type Session, setCsrfToken } from './contract.ts';
import { type Key, keys } from './keys.ts';

const PREFIX = 'postrider.draft.';

/** The key of a draft in the storage of this browser tab. */
export const draftKey = (user: string, name: string): string => `${PREFIX}${user}.${name}`;

/** Removes all drafts: the next user of this browser tab may be another person. */
function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

/** Whether a key belongs to other data than the session. */
export const isOfData = ({ queryKey }: { readonly queryKey: Key }) => queryKey[0] !== keys.session()[0];

const isSignedOut = (error: unknown) => error instanceof PostriderApiError && error.status === 401;

/** The cache of all data that screens have read. */
export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true },
  },
});

/** Ends the session that the screen shows; the sign-in screen then says so. Any 401 does that. */
function endSession(): void {
  if (!queryClient.getQueryData<Session | null>(keys.session())) return;
  sessionStorage.setItem('postrider.ended', 'expired');
  forgetSession();
}

/** Clears the cache and the drafts: the next user of this browser tab may be another person. */
function forgetData(): void {
  forgetDrafts();
  queryClient.removeQueries({ predicate: isOfData });
}

function forgetSession(): void {
  forgetData();
  queryClient.setQueryData(keys.session(), null);
}

/** Reads the current session. Resolves with null if nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return await keep(await call<Session>('GET', '/console/session'));
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    forgetDrafts();
    return null;
  }
}

/** Exchanges a token, or the code of a one-time link, for a session. The token is not kept. */
export async function signIn(body: { token: string; actor?: string } | { link: string }): Promise<Session> {
  return keep(await call<Session>('POST', '/console/session', body));
}

/** A provider by which operators sign in. */
export interface Provider {
  readonly id: string;
  readonly name: string;
}

export async function readProviders(): Promise<readonly Provider[]> {
  return (await call<{ providers: readonly Provider[] }>('GET', '/console/oidc')).providers;
}

/** Ends the session, and leads to the page of the provider that confirmed it, where the person signs out, too. */
export async function signOut(): Promise<void> {
  const left = await call<{ provider_sign_out_url: string } | undefined>('DELETE', '/console/session');
  sessionStorage.removeItem('postrider.ended');
  forgetSession();
  if (left?.provider_sign_out_url) window.location.assign(left.provider_sign_out_url);
}

/** Tells the other tabs the id of the session that the browser has now. */
const tabs = new BroadcastChannel(`postrider.session ${BASE_URL}`);

const readAccount = () => call<Account>('GET', '/console/whoami');

async function keep(session: Omit<Session, 'account'>): Promise<Session> {
  const account = await readAccount();
  setCsrfToken(session.csrf_token);
  tabs.postMessage(session.id);
  return { ...session, account };
}

/** Identifies whose session it is. People who share the admin token are told apart by the names that they gave. */
export const accountOf = ({ account, environment_id, actor }: Session): string =>
  JSON.stringify([account.kind, environment_id, account.operator?.id ?? actor]);

/**
 * A role can change while screens are open, and another tab can sign in again: after a refusal, or when the other tab says so, they
 * use the current session. If it is of another account, nothing that was read or typed before is kept.
 */
async function renewSession(csrfToken: string | null): Promise<boolean> {
  const session = await readSession().catch(() => null);
  if (!session) return false;
  const before = queryClient.getQueryData<Session | null>(keys.session());
  const isOther = before && accountOf(before) !== accountOf(session);
  if (isOther) forgetData();
  queryClient.setQueryData(
    keys.session(),
    isOther ? { ...session, hasReplaced: true } : { ...before, ...session },
  );
  return csrfToken !== null && csrfToken !== session.csrf_token;
}
onRefusal({ signedOut: endSession, forbidden: renewSession });
tabs.addEventListener('message', ({ data: id }) => {
  const shown = queryClient.getQueryData<Session | null>(keys.session());
  if (shown && shown.id !== id) void renewSession(null);
});

export const SessionContext = createContext<Session | null>(null);

/** The session of the signed-in screens. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This screen is for people who are signed in.');
  return session;
}

/** Returns a function that reloads every query whose key starts with the given one. */
export function useInvalidate() {
  const client = useQueryClient();
  return (queryKey: Key) => client.invalidateQueries({ queryKey });
}

/**
 * Returns a function that leaves the screen of an object that was deleted. Neither the next screen nor a later visit shows
 * cached data whose key starts with one of the given ones.
 */
export function useLeaveDeleted() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (to: string, gone: readonly Key[]) => {
    // Queries on the page are read again while they exist: the next screen's must be gone before it opens, this one's after.
    const forget = () => {
      for (const queryKey of gone) client.removeQueries({ queryKey, type: 'inactive' });
    };
    forget();
    await navigate({ to });
    forget();
  };
}
