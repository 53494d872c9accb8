import type { OperationTraits } from './stage.ts';

/** What the stages need to know of an operation that only reads. */
export const READ: OperationTraits = {
  idempotency: { key: 'ignored' },
  body: 'ignored',
  createsDeliveries: false,
};

/** A read of a page with payloads, of which a tenant has eight in memory at once. */
export const READ_PAGE: OperationTraits = { ...READ, responseBytes: 512 * 1024 };
