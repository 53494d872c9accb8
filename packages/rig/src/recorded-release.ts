/** A key of Redis. Times in it are milliseconds since 1970; BullMQ multiplies those of delayed jobs by 4,096. */
export type RecordedKey = { readonly key: string } & (
  | { readonly type: 'string'; readonly value: string; readonly ttlMs: number }
  /** A sorted set has its members, each followed by its score. */
  | { readonly type: 'list' | 'zset'; readonly value: readonly string[] }
  | { readonly type: 'hash'; readonly value: Readonly<Record<string, string>> }
);

/** What a release has in its stores, with jobs in every state. The fault suite records it, and tests of upgrades restore it. */
export interface RecordedRelease {
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
  /** The key that encrypts the channels' secrets, as base64. */
  readonly encryptionKey: string;
  readonly redis: readonly RecordedKey[];
  /** The rows of each table that has any, as `to_jsonb` writes them. */
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}
