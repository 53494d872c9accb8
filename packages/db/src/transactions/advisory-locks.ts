import type { Queryable } from '../client.ts';

/** PostgreSQL's advisory locks that the service uses. No two have the same number, and all releases use the same numbers. */
export const ADVISORY_LOCKS = {
  migrations: 7_205_759_403n,
  seed: 7_205_759_404n,
  /** Of the hash chain of the audit log. */
  auditChain: 7_205_759_405n,
  /** Of the rights of operators, tokens and roles. */
  rights: 7_411_026n,
  /** Of the mails to the contacts of consumers. */
  contactMails: 0x50_4f_53_54_4d_41_49_4cn,
} as const;

/** Waits for the lock, and holds it until the transaction ends. */
export async function holdLock(tx: Queryable, lock: keyof typeof ADVISORY_LOCKS): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS[lock]}::bigint)`;
}
