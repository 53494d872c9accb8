/** The value below which a part (0 to 1) of the values lies, the largest for 1; 0 when there are none. */
export function quantile(values: readonly number[], part: number): number {
  const index = Math.min(values.length - 1, Math.floor(values.length * part));
  return [...values].sort((a, b) => a - b)[index] ?? 0;
}
