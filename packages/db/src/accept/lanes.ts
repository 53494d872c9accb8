/**
 * Transactions of one kind that a process has open at once, for those that are not batched. More of them
 * would wait for connections, and time out there; in line each is begun when its turn comes.
 */
export const TRANSACTION_LANES = { maxItems: 1, maxInFlight: 4, isItemFault: () => false } as const;
