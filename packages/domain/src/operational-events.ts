/** Types of operational events (docs/specification.md, "Operational events"). */
const OPERATIONAL_EVENT_TYPES = [
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

/** Percentages of the monthly quota that are reported when reached. */
export const QUOTA_THRESHOLDS = [50, 80, 100] as const;
