import type { UnboundDatabase } from '@postrider/db';

/** Locks a key of POST /events as a request of another process that has not ended does, until `work` has. */
export function whileKeyIsHeld<Result>(
  db: UnboundDatabase,
  { environmentId, key }: { environmentId: string; key: string },
  work: () => Promise<Result>,
): Promise<Result> {
  return db.$transaction(
    async (tx) => {
      // A request waits for 2 s and more; Postgres would end a transaction that is idle for 3 s.
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await tx.$executeRaw`
        INSERT INTO idempotency_records
          (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
        VALUES (${environmentId}::uuid, 'events.create', ${key}::uuid, sha256('x'), 201, '{}', now(),
                now() + interval '24 hours')`;
      return work();
    },
    { timeout: 20_000 },
  );
}
