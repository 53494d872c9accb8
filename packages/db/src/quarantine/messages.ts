import { LOSSES_BEFORE_END } from '@postrider/domain';

/**
 * What the last attempt says of a run that ends because of the processes that it cost. Tenants read it: whether
 * something was delivered, that it was not tried again, and what they can do.
 */
const WHAT_NOW =
  'Whether it was delivered is not known. It is not tried again; it can be replayed once the cause is fixed.';

/** The run ended a process that tried nothing else. */
export const ENDED_ALONE_MESSAGE = `The run was tried alone, after it had lost several workers, and ended the process that tried it. ${WHAT_NOW}`;

/** The run lost so many workers that it ends, although nobody saw the last of them die. */
export const LOST_TOO_OFTEN_MESSAGE = `The run has lost ${LOSSES_BEFORE_END} workers in a row, the last of them while it was tried alone. ${WHAT_NOW}`;
