import { withDeadline } from '@postrider/queue';

/** Whether all of the work came to its end, well or badly, within the time. It is not stopped when not. */
export async function settlesWithin(
  work: readonly Promise<unknown>[],
  milliseconds: number,
): Promise<boolean> {
  return withDeadline(Promise.allSettled(work), milliseconds, 'the work').then(
    () => true,
    () => false,
  );
}
