import type { UnboundDatabase } from '../client.ts';
import { firstUuidAt } from '../first-id-at.ts';

/**
 * Lets `ms` pass for the pause, health and release of a channel: moves their stored times into the past. It leaves the channel's
 * runs and the time of the resume, which a claim compares; see {@link makeRunOlder}. It locks one row at a time, so it cannot
 * deadlock with a worker.
 */
export async function passTime(db: UnboundDatabase, channelId: string, ms: number): Promise<void> {
  await db.$executeRaw`
    UPDATE channels SET paused_at = paused_at - make_interval(secs => ${ms}::float8 / 1000)
     WHERE id = ${channelId}::uuid AND paused_at IS NOT NULL`;
  await db.$executeRaw`
    UPDATE channel_health
       SET failing_since = failing_since - passed, last_success_at = last_success_at - passed,
           next_probe_at = next_probe_at - passed, released_at = released_at - passed
      FROM make_interval(secs => ${ms}::float8 / 1000) AS passed
     WHERE channel_id = ${channelId}::uuid`;
}

/** Makes a run `ms` older, and leaves its attempts unchanged. The UUID of a run contains its time, so this returns a new one. */
export async function makeRunOlder(db: UnboundDatabase, runId: string, ms: number): Promise<string> {
  const createdMs = Number.parseInt(runId.replaceAll('-', '').slice(0, 12), 16);
  const older = firstUuidAt(createdMs - ms).slice(0, 13) + runId.slice(13);
  await db.$executeRaw`
    UPDATE delivery_runs SET id = ${older}::uuid, created_at = created_at - make_interval(secs => ${ms}::float8 / 1000)
     WHERE id = ${runId}::uuid`;
  return older;
}
