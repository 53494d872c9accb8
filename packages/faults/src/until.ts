import { waitFor } from '@postrider/rig';

/**
 * Resolves when the condition holds; rejects, and names what it waited for, when it does not in time.
 *
 * @deprecated Use `waitFor` of the rig. Kept for branches that are not merged yet.
 */
export async function until(
  what: string,
  timeoutMs: number,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  await waitFor(what, condition, { timeoutMs });
}
