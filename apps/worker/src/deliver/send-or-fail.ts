import { type Delivery, failure, type Senders } from '@postrider/channels';
import type { AttemptOutcome } from '@postrider/domain';

export interface SendDeps {
  readonly senders: Pick<Senders, 'send'>;
  /** Called with what a sender threw, which is a bug. Never throws. */
  readonly onSenderThrew: (error: unknown) => void;
}

/**
 * Sends a delivery. If the sender throws, the outcome is unknown and may be retried: without a result the attempt would
 * stay open until its lease ends, and its run would count as one that ends its workers. The code is `worker_lost`, which does
 * not count against the channel.
 */
export async function sendOrFail(
  { senders, onSenderThrew }: SendDeps,
  kind: string,
  delivery: Delivery<unknown>,
): Promise<AttemptOutcome> {
  try {
    return await senders.send(kind, delivery);
  } catch (error) {
    onSenderThrew(error);
    const message = 'The attempt failed in the service itself. The message may have been sent.';
    return failure('worker_lost', message, { status: 'unknown' });
  }
}
