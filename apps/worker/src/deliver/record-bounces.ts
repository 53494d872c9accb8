import { type ClaimedRun, type FeedbackDeps, recordFeedback } from '@postrider/db';
import { type AttemptOutcome, type BouncedAddress, formatId, type SkippedCopy } from '@postrider/domain';

/** The feedback source of what a remote end said while a message was sent. */
const SESSION_SOURCE = 'session';

/** Records the addresses that an attempt found refused. */
export type RecordBounces = (
  run: Pick<ClaimedRun, 'runId' | 'environmentId' | 'channel' | 'attemptNumber'>,
  bounces: readonly BouncedAddress[],
  at: Date,
) => Promise<void>;

/**
 * A refusal in the session is the same fact as a report that comes later, and is recorded in the same way: as feedback of
 * the run, which suppresses the address. If this fails, the result of the attempt is still written.
 */
export function createRecordBounces(deps: FeedbackDeps, onError: (error: unknown) => void): RecordBounces {
  return async ({ runId, environmentId, channel, attemptNumber }, bounces, at) => {
    try {
      await recordFeedback(deps, {
        ...{ environmentId, channelId: channel.id, source: SESSION_SOURCE, onlyRecipient: false },
        events: bounces.map(({ email, permanent, reason }, index) => ({
          ...{ id: `${attemptNumber}/${index}`, type: 'bounced', permanent, email, reason, at },
          ...{ runId: formatId('run', runId), providerMessageId: null },
        })),
      });
    } catch (error) {
      onError(error);
    }
  };
}

/** The longest stored reason of a refused copy, in characters: a mail has up to 50. */
const MAX_COPY_REASON = 200;

/** The copies that an attempt did not reach; undefined if there are none. */
export function skippedCopiesOf(
  { skippedCopies = [] }: AttemptOutcome,
  suppressed: readonly string[],
): SkippedCopy[] | undefined {
  const skipped: SkippedCopy[] = [
    ...suppressed.map((email) => ({ email, outcome: 'suppressed' as const, reason: null })),
    ...skippedCopies.map(({ reason, ...copy }) => ({
      ...copy,
      reason: reason?.slice(0, MAX_COPY_REASON).replace(/\p{Surrogate}/gu, '') ?? null,
    })),
  ];
  return skipped.length === 0 ? undefined : skipped;
}
