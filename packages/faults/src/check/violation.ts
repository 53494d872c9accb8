/** All kinds of violation. */
export const VIOLATIONS = [
  /** The answer was 201, but the database does not have the message. */
  'acknowledged_event_lost',
  /** A 201 named a run that the database does not have, or that belongs to another message. */
  'acknowledged_run_lost',
  /** A message has a run, not from a replay, that the 201 to its event did not name. */
  'run_not_acknowledged',
  /** A message has fewer runs, without those of replays, than channels that take it. */
  'run_missing',
  /** A run has not ended although the service has drained. */
  'run_not_terminal',
  /** A run failed after a retryable error with attempts left. */
  'given_up_early',
  /** A run lost more workers in a row than the limit. */
  'worker_losses_unbounded',
  /** One event became two messages, or its requests got two different ones as answers. */
  'event_accepted_twice',
  /** A message that no client asked for. */
  'phantom_event',
  /**
   * A 201 to a replay named a run that the database does not have, or that does not belong to a replay of the message.
   */
  'acknowledged_replay_lost',
  /** A replay with one key became two, or its requests got two different ones as answers. */
  'replay_accepted_twice',
  /** A replay that no client asked for. */
  'phantom_replay',
  /** A message's number of replays does not match its runs. */
  'replay_runs_differ',
  /**
   * An event, a replay or a cancel has no idempotency record, or a record belongs to none of these.
   */
  'idempotency_record_differs',
  /** A request got the acceptance of another body as its answer. */
  'answer_of_another_body',
  /** Something was sent for a run that does not exist or whose event was not accepted. */
  'send_without_event',
  /**
   * The body or the recipient of a send belongs to another event than its `webhook-id` or `Message-ID`.
   */
  'send_of_another_event',
  /** A receiver accepted a send that no attempt of the run can have made at that time. */
  'unexplained_duplicate',
  /** A receiver did not accept a send that no attempt of the run can have made at that time. */
  'send_without_attempt',
  /** A run succeeded, but no receiver accepted it. */
  'success_without_send',
  /** Something was sent for a run that was cancelled. */
  'send_after_cancel',
  /** A cancel got 200, but the run is not cancelled. */
  'cancel_lost',
  /** A run is cancelled, but the last answer to its cancel with one key was that it cannot be cancelled. */
  'cancel_denied',
  /** A run is cancelled although no client asked for it. */
  'phantom_cancel',
  /** A scheduled run was claimed or sent before its time. */
  'scheduled_send_early',
  /** A change of status that the state table does not have. */
  'illegal_transition',
  /** Attempts, counters and status of a run contradict each other. */
  'illegal_history',
  /** Runs of an ordering key were tried or arrived in another order than their sequences, or these have a gap. */
  'out_of_order',
  /** Two runs of one ordering key had open attempts at the same time. */
  'two_at_once',
  /** The number of counted events is not that of accepted events. */
  'usage_differs',
  /** More events were accepted than the plan allows. */
  'quota_overrun',
] as const;

export type ViolationKind = (typeof VIOLATIONS)[number];

export interface Violation {
  readonly kind: ViolationKind;
  /** The id or reference of the subject. */
  readonly subject: string;
  readonly detail: string;
}
