/**
 * What the tokens of one environment can store and change. Their holders are outsiders; operators are not bound by these
 * limits, and can go beyond them for a tenant (docs/specification.md, "Self-service").
 */
export const SELF_SERVICE_LIMITS = {
  /** Changes within a window, each with an entry in the audit log, and the bytes of these entries. */
  changes: { seconds: 3_600, count: 2_000, bytes: 8 * 1_024 * 1_024 },
  /** Those of the tokens of one consumer. */
  changesOfConsumer: { seconds: 3_600, count: 500, bytes: 2 * 1_024 * 1_024 },
  /** Those of the tokens of all consumers of one environment together. */
  changesOfConsumers: { seconds: 3_600, count: 10_000, bytes: 40 * 1_024 * 1_024 },
  /** Messages that the callers of one consumer replay in a day (UTC), one by one and in bulk. */
  replaysOfConsumer: { count: 10_000 },
  /** New channels within a window: the rows of deleted ones stay, because runs refer to them. */
  newChannels: { seconds: 86_400, count: 200 },
  /**
   * Stored versions of templates, layouts, partials and translations, and their bytes. The snapshot of an environment has
   * all active templates.
   */
  versions: { count: 20_000, bytes: 256 * 1_024 * 1_024, activeTemplates: 2_000 },
  /** The snapshot has those with a schema or a stream. */
  eventTypes: 2_000,
  /** With deleted ones, whose rows stay. Events create no more, either. */
  consumers: 100_000,
  /** Entries that the service adds count, too, but are never refused. */
  suppressions: 100_000,
} as const;
