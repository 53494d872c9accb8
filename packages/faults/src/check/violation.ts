/** All kinds of violation. */
export const VIOLATIONS = [
  /** A 201 was answered, and the database has no such message. */
  'acknowledged_event_lost',
  /** A 201 named a run that the database does not have, or has under another message. */
  'acknowledged_run_lost',
  /** A message has a run, and not of a replay, that a 201 to its event did not name. */
  'run_not_acknowledged',
  /** A run has not ended although the service has drained. */
  'run_not_terminal',
  /** A run failed with attempts left, after a retryable error. */
  'given_up_early',
  /** A run lost more workers in a row than the limit. */
  'worker_losses_unbounded',
  /** One event became two messages, or its requests were answered with two. */
  'event_accepted_twice',
  /** A message that no client asked for. */
  'phantom_event',
  /**
   * A 201 to a replay named a run that the database does not have, or that is not of a replay of the message.
   */
  'acknowledged_replay_lost',
  /** A replay under one key became two, or its requests were answered with two. */
  'replay_accepted_twice',
  /** A replay that no client asked for. */
  'phantom_replay',
  /** A message counts other replays than it has runs of. */
  'replay_runs_differ',
  /**
   * An event, a replay or a cancel without the idempotency record that belongs to it, or a record without
   * them.
   */
  'idempotency_record_differs',
  /** A request was answered with the acceptance of another body. */
  'answer_of_another_body',
  /** Something was sent for a run that does not exist or whose event was not accepted. */
  'send_without_event',
  /**
   * The body or the recipient of a send belongs to another event than its `webhook-id` or `Message-ID` says.
   */
  'send_of_another_event',
  /** A receiver accepted a send that no attempt of the run can have made at that time. */
  'unexplained_duplicate',
  /** A send that was not accepted and that no attempt of the run can have made at that time. */
  'send_without_attempt',
  /** A run counts as succeeded, and no receiver accepted it. */
  'success_without_send',
  /** Something was sent for a run that was cancelled. */
  'send_after_cancel',
  /** A cancel was answered 200, and the run is not cancelled. */
  'cancel_lost',
  /** A run is cancelled, and the last answer to its cancel, under one key, was that it cannot be. */
  'cancel_denied',
  /** A run is cancelled that no client asked to cancel. */
  'phantom_cancel',
  /** A scheduled run was claimed or sent before its time. */
  'scheduled_send_early',
  /** A change of status that the state table does not have. */
  'illegal_transition',
  /** Attempts, counters and status of a run contradict each other. */
  'illegal_history',
  /** Runs of one ordering key were tried, or arrived, in another order than that of their sequences, or these have a gap. */
  'out_of_order',
  /** Two runs of one ordering key had open attempts at the same time. */
  'two_at_once',
  /** The events that were counted are not the events that were accepted. */
  'usage_differs',
  /** More was accepted than the plan holds. */
  'quota_overrun',
] as const;

export type ViolationKind = (typeof VIOLATIONS)[number];

export interface Violation {
  readonly kind: ViolationKind;
  /** The id or reference of the subject. */
  readonly subject: string;
  readonly detail: string;
}
