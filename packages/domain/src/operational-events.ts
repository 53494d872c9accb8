/** What the service reports of itself, to operational channels: docs/specification.md, "Operational events". */
export const OPERATIONAL_EVENT_TYPES = [
  'channel.failing',
  'channel.paused',
  'channel.recovered',
  'run.exhausted',
  'quota.threshold',
  'template.render_failed',
  'secret.expiring',
  'suppression.added',
] as const;
export type OperationalEventType = (typeof OPERATIONAL_EVENT_TYPES)[number];

/** The parts of a month's quota in percent that are reported when they are reached. */
export const QUOTA_THRESHOLDS = [50, 80, 100] as const;
