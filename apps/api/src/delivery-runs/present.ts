import type { AttemptRecord, ChannelAttempt, DeliveryRunRecord, RunOfMessage } from '@postrider/db';
import {
  formatId,
  formatOptionalTime,
  formatTime,
  presentRunChannel,
  presentRunSummary,
  type RunFeedback,
} from '@postrider/domain';

function presentFeedback({ type, permanent, at, reason }: RunFeedback) {
  return { type, permanent, at: formatTime(at), reason };
}

/** A run as the message record shows it (docs/specification.md, "Reads and actions"). */
export function presentRunOfMessage(run: RunOfMessage) {
  return { ...presentRunSummary(run), feedback: run.feedback && presentFeedback(run.feedback) };
}

/** An attempt without what only one delivery shows. */
function presentAttemptInShort(attempt: Omit<AttemptRecord, 'tried' | 'skippedCopies'>, runId: string) {
  const { response } = attempt;
  return {
    id: formatId('att', attempt.id),
    delivery_run_id: formatId('run', runId),
    number: attempt.number,
    status: attempt.status,
    error_code: attempt.errorCode,
    error_message: attempt.errorMessage,
    retryable: attempt.retryable,
    started_at: formatTime(attempt.startedAt),
    completed_at: formatOptionalTime(attempt.completedAt),
    duration_ms: attempt.durationMs,
    response: response && { status_code: response.statusCode, body_excerpt: response.bodyExcerpt },
    sender: attempt.sender,
    provider_message_id: attempt.providerMessageId,
  };
}

export function presentChannelAttempt({
  runId,
  messageId,
  eventKey,
  replay,
  runStatus,
  test,
  ...attempt
}: ChannelAttempt) {
  return {
    ...presentAttemptInShort(attempt, runId),
    message_id: formatId('msg', messageId),
    event_key: eventKey,
    replay,
    run_status: runStatus,
    test,
  };
}

function presentAttempt(attempt: AttemptRecord, runId: string) {
  return {
    ...presentAttemptInShort(attempt, runId),
    tried: attempt.tried.map(({ sender, outcome, code, message }) => ({
      sender,
      outcome,
      error_code: code,
      error_message: message,
    })),
    skipped_copies: attempt.skippedCopies.map(({ email, outcome, reason }) => ({ email, outcome, reason })),
  };
}

/** The newest attempt with an error, even if a later one succeeded. */
function presentLastError(attempts: readonly AttemptRecord[]) {
  const failed = attempts.findLast((attempt) => attempt.errorCode !== null);
  return failed
    ? { code: failed.errorCode, message: failed.errorMessage, attempt_number: failed.number }
    : null;
}

/** A run with its attempts (docs/specification.md, "Reads and actions"). */
export function presentRun(run: DeliveryRunRecord) {
  return {
    id: formatId('run', run.id),
    message_id: formatId('msg', run.messageId),
    channel: presentRunChannel(run.channel),
    status: run.status,
    trigger: run.replay === 0 ? 'event' : 'replay',
    replay: run.replay,
    template: run.template && { id: formatId('tpl', run.template.id), version: run.template.version },
    attempt_count: run.attemptCount,
    max_attempts: run.maxAttempts,
    scheduled_at: formatOptionalTime(run.scheduledAt),
    started_at: formatOptionalTime(run.startedAt),
    completed_at: formatOptionalTime(run.completedAt),
    next_attempt_at: formatOptionalTime(run.nextAttemptAt),
    held_by: run.heldBy,
    queue: run.queue && { ahead: run.queue.ahead, expected_at: formatOptionalTime(run.queue.expectedAt) },
    sequence: run.sequence,
    created_at: formatTime(run.createdAt),
    feedback: run.feedback && presentFeedback(run.feedback),
    last_error: presentLastError(run.attempts),
    attempts: run.attempts.map((attempt) => presentAttempt(attempt, run.id)),
  };
}
