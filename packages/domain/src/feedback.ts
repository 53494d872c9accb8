/**
 * What a provider can report about a mail that it accepted. `deferred` means that the provider will try again; the
 * other types are final.
 */
export const FEEDBACK_TYPES = ['delivered', 'bounced', 'complained', 'deferred', 'unsubscribed'] as const;
export type FeedbackType = (typeof FEEDBACK_TYPES)[number];

/** A provider's report about one message and one recipient. */
export interface FeedbackEvent {
  /**
   * The provider's id of the event, or a digest of the event; at most 200 characters. Used to recognise repeated
   * events.
   */
  readonly id: string;
  readonly type: FeedbackType;
  /** Whether the address must not be used again: a bounce that no later try can change. */
  readonly permanent: boolean;
  /** The recipient as the provider writes it; not validated. */
  readonly email: string | null;
  /**
   * The run's public id, from the message's metadata or its `Message-ID`. Well formed, but possibly of another
   * tenant.
   */
  readonly runId: string | null;
  readonly providerMessageId: string | null;
  readonly at: Date;
  /** One line of at most 500 characters. */
  readonly reason: string | null;
}

/**
 * Types of feedback that a run shows, from the least to the most significant. If there are several, the most
 * significant one is shown. `deferred` is not final. A server that accepted a mail can still return it, so a bounce
 * ranks above a delivery. A recipient can only complain about a mail that arrived.
 */
export const RUN_FEEDBACK_TYPES = ['deferred', 'delivered', 'bounced', 'complained'] as const;
type RunFeedbackType = (typeof RUN_FEEDBACK_TYPES)[number];

export interface RunFeedback {
  readonly type: RunFeedbackType;
  /** For a bounce: whether the address is permanently unusable. */
  readonly permanent: boolean;
  /** The time stated by the reporter, but never later than the time of receipt. */
  readonly at: Date;
  /** One line of at most 500 characters; null if none was given, and after an erasure. */
  readonly reason: string | null;
}
