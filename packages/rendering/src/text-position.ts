/** Where a character stands: line and column count from 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The position of the character at `offset`. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The offset at which a line begins; the end of the text when it has no such line. */
export function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let current = 1; current < line; current += 1) {
    const end = text.indexOf('\n', offset);
    if (end < 0) return text.length;
    offset = end + 1;
  }
  return offset;
}
