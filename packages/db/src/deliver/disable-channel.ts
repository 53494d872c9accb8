import type { Database } from '../client.ts';

/** Disables a channel because its endpoint is gone for good (HTTP 410). Idempotent. */
export async function disableChannel(
  db: Database,
  { channelId, reason }: { channelId: string; reason: string },
): Promise<void> {
  await db.$executeRaw`
    UPDATE channels SET enabled = false, disabled_reason = ${reason}, revision = revision + 1, updated_at = now()
     WHERE id = ${channelId}::uuid AND enabled`;
}
