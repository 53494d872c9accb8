/** The value below which a part (0 to 1) of the values lies; 0 when there are none. */
export function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}
