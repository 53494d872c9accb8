import { acrossEnvironments, type ErasureDeps, erasePage, findOpenErasures } from '@postrider/db';

/** Erasures that one round looks at; the next looks at others, chosen at random. */
const MAX_ERASURES = 20;
/** Pages of one erasure in a round. */
const MAX_PAGES = 5;

/**
 * Makes pages of each open erasure. Every worker does: the database decides which of them makes a page, and a worker
 * that is lost leaves the next page to any other. One that fails is reported, and the others go on.
 */
export async function sweepErasures(
  deps: ErasureDeps,
  { onError }: { onError: (error: unknown) => void },
): Promise<void> {
  for (const erasure of await findOpenErasures(acrossEnvironments(deps.db), MAX_ERASURES)) {
    try {
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const result = await erasePage(deps, erasure);
        if (result.outcome !== 'advanced' || result.messages === 0) break;
      }
    } catch (error) {
      onError(error);
    }
  }
}
