import { groupBy, positionOf, type TemplateIssue } from '@postrider/domain';
import { findLiquid } from './liquid-mask.ts';

/** The offset at which a line begins; the end of the text if there is no such line. */
export function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let current = 1; current < line; current += 1) {
    const end = text.indexOf('\n', offset);
    if (end < 0) return text.length;
    offset = end + 1;
  }
  return offset;
}

type Positioned = Pick<TemplateIssue, 'path' | 'part' | 'line' | 'column'>;

/**
 * Creates the function that maps a position in compiled HTML to its Liquid in the MJML. Compiling keeps Liquid
 * unchanged, but MJML may repeat an attribute: of tokens with the same text, the n-th part of those in the HTML maps
 * to the n-th in the source. A position outside of Liquid has no line and column.
 */
export function createMjmlPositions(mjml: string, html: string): <At extends Positioned>(at: At) => At {
  const compiled = findLiquid(html);
  const compiledByText = groupBy(compiled, ({ text }) => text);
  const sourceByText = groupBy(findLiquid(mjml), ({ text }) => text);

  function sourceOffset(offset: number): number | null {
    const token = compiled.findLast((candidate) => candidate.offset <= offset);
    if (!token || offset >= token.offset + token.text.length) return null;
    const copies = compiledByText.get(token.text) ?? [];
    const sources = sourceByText.get(token.text) ?? [];
    const source = sources[Math.floor((copies.indexOf(token) * sources.length) / copies.length)];
    return source ? source.offset + (offset - token.offset) : null;
  }

  return (at) => {
    const { line, column, ...rest } = at;
    if (at.path !== '/html' || at.part !== undefined || line === undefined || column === undefined) return at;
    const offset = sourceOffset(offsetOfLine(html, line) + column - 1);
    return (offset === null ? rest : { ...rest, ...positionOf(mjml, offset) }) as typeof at;
  };
}
