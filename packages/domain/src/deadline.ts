/**
 * Settles like `work`, or rejects after `deadlineMs` with an error that names `what`. Does not stop `work`; a later
 * failure is ignored.
 */
export async function withDeadline<T>(work: Promise<T>, deadlineMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${deadlineMs} ms`)), deadlineMs);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether all of the work settles within the time. Does not stop work that takes longer. */
export function settlesWithin(work: readonly Promise<unknown>[], milliseconds: number): Promise<boolean> {
  return withDeadline(Promise.allSettled(work), milliseconds, 'the work').then(
    () => true,
    () => false,
  );
}
