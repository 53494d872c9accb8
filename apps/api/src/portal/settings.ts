import {
  createBatcher,
  createFinder,
  createMemo,
  loadPortalSettings,
  type UnboundDatabase,
} from '@postrider/db';
import type { PortalSettings } from '@postrider/domain';

/** The most environments in the cache of a process. */
const MAX_ENVIRONMENTS = 1_000;
/** Anyone can ask for any id, so their loads share queries, one at a time. */
const BATCHES = { maxItems: 256, maxInFlight: 1, isItemError: () => false };

/** What an environment chooses for its portal, at most 5 s old; null if there is no such environment. */
export type FindPortalSettings = (environmentId: string) => Promise<PortalSettings | null>;

export function createPortalSettings({
  db,
  monotonicNow,
}: {
  readonly db: UnboundDatabase;
  readonly monotonicNow: () => number;
}): FindPortalSettings {
  const load = createBatcher((ids: readonly string[]) => loadPortalSettings(db, ids), BATCHES);
  return createFinder(monotonicNow, createMemo(monotonicNow, MAX_ENVIRONMENTS, load)).find;
}
