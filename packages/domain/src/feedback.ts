/**
 * What a run shows of the feedback on its mail, from the least to the most that it says: of several the last one counts.
 * `deferred` is no end. A server that took a mail can still return it, so a bounce counts more than a delivery; and a
 * recipient can only complain of what arrived.
 */
export const RUN_FEEDBACK_TYPES = ['deferred', 'delivered', 'bounced', 'complained'] as const;
export type RunFeedbackType = (typeof RUN_FEEDBACK_TYPES)[number];

/** The feedback that a run shows. */
export interface RunFeedback {
  readonly type: RunFeedbackType;
  /** Of a bounce: whether the address is to be written to no more. */
  readonly permanent: boolean;
  /** When it happened, by who reported it; never after it was received. */
  readonly at: Date;
  /** One line, of at most 500 characters; null where none was given, and after an erasure. */
  readonly reason: string | null;
}
