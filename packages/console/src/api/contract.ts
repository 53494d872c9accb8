import type { DeliveryRun, Message, Replayed } from '@postrider/client';
import { PostriderApiError, PostriderConnectionError } from '@postrider/client';
import { BASE_URL, CONNECTION } from './connection.ts';

/** The signed-in user and their permissions. */
export interface Session {
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
}

export interface Counters {
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
  readonly attempts: number;
  readonly latency_ms: {
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
  } | null;
}

interface Bucket extends Counters {
  readonly start: string;
  readonly groups?: readonly (Counters & { readonly key: string })[];
}

export interface StatsQuery {
  readonly from?: string;
  readonly to?: string;
  readonly interval?: 'hour' | 'minute';
  readonly group_by?: 'channel' | 'event_key' | 'error_code';
}

export interface Stats {
  readonly interval: 'hour' | 'minute';
  readonly from: string;
  readonly to: string;
  readonly buckets: readonly Bucket[];
  readonly totals: Counters & { readonly groups?: readonly (Counters & { readonly key: string })[] };
}

type Headers = readonly (readonly [string, string])[];

/** The content that an attempt sent. `verified`: whether rendering it again gives the same digest. */
export interface Content {
  readonly delivery_run_id: string;
  readonly attempt: number;
  readonly kind: string;
  readonly verified: boolean | null;
  readonly unverified_reason: 'nothing_sent' | 'in_progress' | 'worker_lost' | 'not_stored' | null;
  readonly sha256: string | null;
  readonly rendered_at: string | null;
  readonly email?: {
    readonly subject: string;
    readonly from: string | null;
    readonly to: string | null;
    readonly html: string | null;
    readonly text: string | null;
    readonly source: string | null;
    readonly headers: Headers;
    readonly cc?: readonly string[];
    readonly bcc?: readonly string[];
    readonly reply_to?: string;
    readonly attachments?: readonly {
      readonly filename: string;
      readonly content_type: string;
      readonly cid?: string | null;
      readonly bytes?: number | null;
    }[];
  } | null;
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body: string;
  } | null;
  readonly connected_address: string | null;
  readonly response: {
    readonly status: number;
    readonly headers: Headers;
    readonly excerpt: string | null;
  } | null;
}

interface ChannelDecision {
  readonly channel_id: string;
  readonly name: string;
  readonly kind: string;
  readonly taken: boolean;
  readonly reason: string;
  /** For `filtered`: JSON Pointer to the false condition of the filter. */
  readonly condition: string | null;
  readonly delivery_run_ids: readonly string[];
}

export type ExplainedMessage = Message & { readonly channels?: readonly ChannelDecision[] };

export interface Attention {
  readonly failing_channels: readonly {
    readonly channel_id: string;
    readonly name: string;
    readonly kind: string;
    readonly consecutive_failures: number;
    readonly last_error_code: string | null;
    readonly failing_since: string | null;
  }[];
  readonly paused_channels: readonly {
    readonly channel_id: string;
    readonly name: string;
    readonly kind: string;
    readonly reason: string | null;
    readonly failing_since: string | null;
    readonly next_probe_at: string | null;
    readonly waiting: number;
  }[];
  readonly paused_streams: readonly {
    readonly stream: string;
    readonly paused_at: string;
    readonly delivered: number;
    readonly complained: number;
  }[];
  readonly expiring: readonly {
    readonly type: string;
    readonly id: string;
    readonly name: string;
    readonly expires_at: string;
  }[];
  readonly backlog: { readonly due: number; readonly oldest_due_at: string | null };
  readonly quota: { readonly used: number; readonly limit: number; readonly ratio: number } | null;
  readonly render_failures: { readonly last_hour: number };
  /** Blocked ordering keys, counted up to 1,000. */
  readonly blocked_keys: number;
  readonly blocked_channels: readonly {
    readonly channel_id: string;
    readonly name: string;
    readonly kind: string;
    readonly blocked_keys: number;
  }[];
}

export type { DeliveryRun, Message, Replayed };

let csrfToken = '';

/** Sets the CSRF token of this session's changing requests. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

interface CallInit {
  readonly query?: object;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Calls the service with the session's cookie. Rejects with an error of the client. */
export async function call<Data>(method: string, path: string, init: CallInit = {}): Promise<Data> {
  const url = new URL(path.replace(/^\//, ''), BASE_URL);
  for (const [name, value] of Object.entries(init.query ?? {}))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  const headers = new Headers({ Accept: 'application/json' });
  if (method !== 'GET') headers.set('X-CSRF-Token', csrfToken);
  if (init.body !== undefined) headers.set('Content-Type', 'application/json');
  if (init.idempotencyKey) headers.set('Idempotency-Key', init.idempotencyKey);
  const request = new Request(url, {
    method,
    headers,
    credentials: 'same-origin',
    redirect: 'error',
    ...(init.signal && { signal: init.signal }),
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
  });
  const response = await CONNECTION.surroundings.fetch(request).catch((cause: unknown) => {
    init.signal?.throwIfAborted();
    throw new PostriderConnectionError('No response: the connection failed.', { cause });
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const data = isJson && text ? JSON.parse(text) : undefined;
  if (!response.ok) throw new PostriderApiError(response, data, Date.now());
  return data as Data;
}
