import type { OperationTraits } from './stage.ts';

/** What the stages need to know of an operation that only reads. */
export const READ: OperationTraits = {
  idempotency: { key: 'ignored' },
  body: 'ignored',
  createsDeliveries: false,
};
