/** The value below which the share `part` (0 to 1) of the values lies, for 1 the largest; 0 if there are none. */
export function quantile(values: readonly number[], part: number): number {
  const index = Math.min(values.length - 1, Math.floor(values.length * part));
  return [...values].sort((a, b) => a - b)[index] ?? 0;
}

/** The middle value, or the mean of the two in the middle; NaN if there are none. */
export function median(values: readonly number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  const upper = ordered[Math.floor(ordered.length / 2)] ?? Number.NaN;
  const lower = ordered[Math.ceil(ordered.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

const tableRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A Markdown table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(tableRow).join('\n');
}
