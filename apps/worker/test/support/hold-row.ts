import type { UnboundDatabase } from '@postrider/db';
import { waitFor } from '@postrider/rig';

/** Locks a row like another process, until it is released. */
export async function holdRow(
  db: UnboundDatabase,
  table: 'attempts' | 'delivery_runs',
  id: string,
): Promise<{ letGo: () => Promise<void> }> {
  let finish = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let held = false;
  const holding = db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await tx.$queryRawUnsafe(`SELECT FROM ${table} WHERE id = $1::uuid FOR UPDATE`, id);
      held = true;
      await told;
    },
    { timeout: 60_000 },
  );
  await waitFor('the lock', () => held);
  return {
    letGo: () => {
      finish();
      return holding;
    },
  };
}
