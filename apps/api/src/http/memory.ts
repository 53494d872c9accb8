import type { AnyClient } from '@postrider/db';

/** The resource that a request reads: the environment's UUID, null if the path has none, and the names in its path. */
interface StoredRequest {
  readonly environmentId: string | null;
  readonly params: Readonly<Record<string, string>>;
}

/** Counts the stored bytes that a request reads, without reading them. The statement names its environment itself. */
export type CountStored = (db: AnyClient, request: StoredRequest) => Promise<number>;

/**
 * The most memory that a request of an operation may hold besides its body, counted in bytes of JSON. It is reserved for
 * the caller's tenant, and a request for which there is none waits and then gets 429 or 503.
 *
 * - A number is reserved before the body is read. Responses up to 4 KiB are part of every request, so 0 means such a
 *   response and nothing that was stored by others. A larger response is charged as soon as it is known. That is for
 *   responses that are rarely large, such as figures: the share of connections bounds how many are read at once.
 * - A function counts what is stored, for values whose size has no small bound. Its result is reserved before the
 *   operation runs, while no connection to PostgreSQL is held.
 */
export type Memory = number | CountStored;

const KIB = 1024;

/** Usual amounts, in bytes. */
export const MEMORY = {
  /** A response of a few fields. */
  small: 0,
  /** One configured resource, which came with a body of at most 256 KiB, before and after a change. */
  resource: 512 * KIB,
  /** A page of up to 100 rows without large columns. */
  rows: 128 * KIB,
  /** A page of rows with large columns: up to 2 MiB of text, which is not parsed and takes half as much as a body. */
  page: 1024 * KIB,
} as const satisfies Record<string, Memory>;
