import type { BouncedAddress } from '@postrider/channels';
import { type ClaimedRun, type FeedbackDeps, recordFeedback } from '@postrider/db';
import { formatId } from '@postrider/domain';

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
