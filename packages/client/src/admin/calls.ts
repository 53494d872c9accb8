import type { Client } from 'openapi-fetch';
import type { paths } from '../generated.ts';
import type { Follow } from '../stream.ts';
import type { CallOptions, Perform } from '../transport.ts';

/** What the operations of every resource are made with. */
export interface AdminCalls {
  readonly http: Client<paths>;
  readonly perform: Perform;
  readonly follow: Follow;
}

/**
 * For calls that would do their work once more when made again: they are made again only where nothing was
 * done. The management interface has no idempotency keys.
 */
export function once(options: CallOptions | undefined) {
  return { ...options, repetition: 'refused' as const };
}

/** A field of a body, for those who offer it to people. */
export interface FieldDescription {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'boolean' | 'list' | 'json';
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly about: string;
}

/** A call of a resource, as the OpenAPI document describes it. */
export interface CallDescription {
  /** Its name in the client; `list` is read in pages. */
  readonly name: string;
  readonly summary: string;
  /** The parameters of its path, in order. */
  readonly parameters: readonly { readonly name: string; readonly about: string }[];
  /** Whether the last parameter names what the call is made on, and not what it belongs to. */
  readonly isOnOne: boolean;
  /** Null where there is no body. */
  readonly body: readonly FieldDescription[] | null;
  /** The fields of an entry that are no objects or lists; of a list alone. */
  readonly columns: readonly string[];
}

/** A resource whose calls are generated. */
export interface ResourceDescription {
  readonly name: string;
  /** Its name in the client. */
  readonly member: string;
  readonly about: string;
  readonly calls: readonly CallDescription[];
}
