import { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Session } from './contract.ts';

/** The service, which has the portal at `/portal/` below any path. */
const BASE = new URL('../', window.location.href.split(/[?#]/, 1)[0]);

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

/** A refusal of the service; status 0 if there was no response. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: NonNullable<ErrorBody['details']>;
  constructor(status: number, body?: ErrorBody) {
    super(body?.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.code ?? 'unexpected_response';
    this.details = body?.details ?? [];
  }
}

interface CallInit {
  readonly token?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** Calls the service without cookies. Rejects with a CallError. */
export async function send<Data>(method: string, path: string, init: CallInit = {}): Promise<Data> {
  const url = new URL(path.replace(/^\//, ''), BASE);
  for (const [name, value] of Object.entries(init.query ?? {}))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  const headers = new Headers({ Accept: 'application/json' });
  if (init.token) headers.set('Authorization', `Bearer ${init.token}`);
  if (init.body !== undefined) headers.set('Content-Type', 'application/json');
  const response = await fetch(url, {
    method,
    headers,
    credentials: 'omit',
    redirect: 'error',
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
  }).catch(() => {
    throw new CallError(0);
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const data = isJson && text ? JSON.parse(text) : undefined;
  if (!response.ok) throw new CallError(response.status, (data as { error?: ErrorBody } | undefined)?.error);
  return data as Data;
}

/** What the screens use: the session and its calls. */
export interface Portal extends Session {
  call<Data>(method: string, path: string, init?: Omit<CallInit, 'token'>): Promise<Data>;
  may(scope: string): boolean;
}

const isEnded = (error: unknown) => error instanceof CallError && error.status === 401;

/** The calls of a session. `onEnded` is called as soon as the service refuses its token. */
export function openPortal(session: Session, onEnded: () => void): Portal {
  return {
    ...session,
    call: (method, path, init) =>
      send<never>(method, path, { ...init, token: session.token }).catch((error: unknown) => {
        if (isEnded(error)) onEnded();
        throw error;
      }),
    may: (scope) => session.scopes.includes(scope),
  };
}

/**
 * Ends the session when its page is gone: nobody else has the token, and open sessions are limited. A page that the browser keeps for
 * "back" keeps its session.
 */
export function endWithPage(token: string): void {
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) return;
    const headers = { Authorization: `Bearer ${token}` };
    const end = fetch(new URL('portal/session', BASE), {
      method: 'DELETE',
      headers,
      credentials: 'omit',
      keepalive: true,
    });
    end.catch(() => undefined);
  });
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
});

export const PortalContext = createContext<Portal | null>(null);

/** The session of the screens below the shell. */
export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('There is no session.');
  return portal;
}
