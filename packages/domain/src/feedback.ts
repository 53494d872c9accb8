/**
 * Types of feedback that a run shows, from the least to the most significant. If there are several, the most
 * significant one is shown. `deferred` is not final. A server that accepted a mail can still return it, so a bounce
 * ranks above a delivery. A recipient can only complain about a mail that arrived.
 */
export const RUN_FEEDBACK_TYPES = ['deferred', 'delivered', 'bounced', 'complained'] as const;
type RunFeedbackType = (typeof RUN_FEEDBACK_TYPES)[number];

/** The feedback that a run shows. */
export interface RunFeedback {
  readonly type: RunFeedbackType;
  /** For a bounce: whether the address is permanently unusable. */
  readonly permanent: boolean;
  /** The time stated by the reporter, but never later than the time of receipt. */
  readonly at: Date;
  /** One line of at most 500 characters; null if none was given, and after an erasure. */
  readonly reason: string | null;
}
