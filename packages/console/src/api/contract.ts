import type { Operator, PostriderAdmin, Stats } from '@postrider/client';
import { PostriderApiError, PostriderConnectionError } from '@postrider/client';
import { BASE_URL, CONNECTION } from './connection.ts';

/** Who is signed in, and what they may do. */
export interface Account {
  readonly kind: 'admin_token' | 'operator' | 'environment_token';
  readonly operator: Operator | null;
  /** With the `read` of each area. */
  readonly scopes: readonly string[];
  /** The visible tenants; with `environments` also null, all. */
  readonly tenants: readonly string[] | null;
  readonly environments: readonly string[] | null;
}

/** The session of the signed-in user. */
export interface Session {
  readonly id: string;
  readonly account: Account;
  readonly role: 'operator' | 'integrator';
  readonly environment_id: string | null;
  readonly environment_name: string | null;
  readonly tenant_id: string | null;
  readonly tenant_name: string | null;
  /** The operator's name in the audit log; null for others. */
  readonly actor: string | null;
  readonly csrf_token: string;
  readonly idle_expires_at: string;
  readonly expires_at: string;
  /** For example `https://traces.example.com/{trace_id}`. */
  readonly trace_url_template: string | null;
  /** Whether it replaced the session of another account while the page was open, by a sign-in in another tab. */
  readonly hasReplaced?: true;
}

export type Counters = Omit<Stats['totals'], 'groups'>;
export type Attention = Awaited<ReturnType<PostriderAdmin['attention']['get']>>;

let csrfToken = '';

/** Sets the CSRF token of this session's changing requests. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Calls the service with the session's cookie. Rejects with an error of the client. */
export async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
  const headers = new Headers({ Accept: 'application/json' });
  if (method !== 'GET') headers.set('X-CSRF-Token', csrfToken);
  if (body) headers.set('Content-Type', 'application/json');
  const request = new Request(new URL(path.replace(/^\//, ''), BASE_URL), {
    method,
    headers,
    credentials: 'same-origin',
    redirect: 'error',
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await CONNECTION.surroundings.fetch(request).catch((cause: unknown) => {
    throw new PostriderConnectionError('No response: the connection failed.', { cause });
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const data = isJson && text ? JSON.parse(text) : undefined;
  if (!response.ok) throw new PostriderApiError(response, data, Date.now());
  return data as Data;
}
