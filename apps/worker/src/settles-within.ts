/** Whether all of the work came to its end, well or badly, within the time. It is not stopped when not. */
export async function settlesWithin(
  work: readonly Promise<unknown>[],
  milliseconds: number,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = Promise.allSettled(work).then(() => true);
  const result = await Promise.race([settled, late]);
  clearTimeout(timer);
  return result;
}
