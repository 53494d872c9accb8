import type { ReplaySkipReason } from '@postrider/domain';
import type { PlannedRun } from '../accept/types.ts';
import type { PlannedMessage } from './plan-page.ts';

/** What one page does. */
export interface Page {
  readonly replays: readonly { readonly id: string; readonly runs: readonly PlannedRun[] }[];
  readonly skips: readonly ReplaySkipReason[];
  /** The message up to which the batch has come with it; null when it has come to the end. */
  readonly position: string | null;
  /** Whether nothing that matches comes after it. */
  readonly isLast: boolean;
  /** Whether its first message does not fit, so that it changes nothing. */
  readonly isEmpty: boolean;
}

interface Bounds {
  /** Where the search goes on after the messages; null when there are no more. */
  readonly nextAfter: string | null;
  readonly mostReplays: number;
  readonly openRuns: number;
  readonly mostOpenRuns: number;
}

/**
 * Takes of the planned messages, in their order, what fits the bounds. A message that by itself has more runs than may
 * be open is taken when nothing is open, or the batch would wait for ever.
 */
export function cutPage(
  planned: readonly PlannedMessage[],
  { nextAfter, mostReplays, openRuns, mostOpenRuns }: Bounds,
): Page {
  const replays: Page['replays'][number][] = [];
  const skips: ReplaySkipReason[] = [];
  let open = openRuns;
  let last: string | null = null;
  for (const message of planned) {
    if (message.outcome === 'replay') {
      const fits = open === 0 || open + message.runs.length <= mostOpenRuns;
      if (!fits || replays.length >= mostReplays) {
        return { replays, skips, position: last, isLast: false, isEmpty: last === null };
      }
      replays.push(message);
      open += message.runs.length;
    } else {
      skips.push(message.reason);
    }
    last = message.id;
  }
  return { replays, skips, position: nextAfter ?? last, isLast: nextAfter === null, isEmpty: false };
}
