/** A Liquid tag or output in a source. */
export interface LiquidToken {
  readonly text: string;
  /** Where it begins in the source. */
  readonly offset: number;
}

/** A source whose Liquid is replaced by words that a compiler of markup passes on as they are. */
export interface MaskedSource {
  readonly text: string;
  readonly tokens: readonly LiquidToken[];
  /** Puts the Liquid back into what became of the text, wherever its words stand. */
  readonly restore: (text: string) => string;
  /** Numbers of the tokens whose words stand in a text. */
  readonly tokensIn: (text: string) => ReadonlySet<number>;
  /** The offset in the source of an offset in the masked text. */
  readonly sourceOffset: (offset: number) => number;
}

/** The caller has parsed the source as Liquid: whatever opens is closed. */
const LIQUID = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

/** The Liquid in a source, in its order. */
export function findLiquid(source: string): LiquidToken[] {
  return Array.from(source.matchAll(LIQUID), ({ 0: text, index }) => ({ text, offset: index }));
}

/** Letters that do not stand in the source, so that no word of it is taken for one of ours. */
function unusedWord(source: string): string {
  let count = 0;
  while (source.includes(`liquid${count}n`)) count += 1;
  return `liquid${count}n`;
}

/**
 * Hides the Liquid in a source. Words of lower-case letters and digits are legal wherever Liquid can stand:
 * text, attributes and the values of styles.
 */
export function maskLiquid(source: string): MaskedSource {
  const word = unusedWord(source);
  const tokens: LiquidToken[] = [];
  const starts: number[] = [];
  let shift = 0;
  const text = source.replace(LIQUID, (token, offset: number) => {
    const mask = `${word}${tokens.length}e`;
    tokens.push({ text: token, offset });
    starts.push(offset + shift);
    shift += mask.length - token.length;
    return mask;
  });
  const words = () => new RegExp(`${word}(\\d+)e`, 'g');

  return {
    text,
    tokens,
    restore: (masked) => masked.replace(words(), (mask, index) => tokens[Number(index)]?.text ?? mask),
    tokensIn: (masked) => new Set([...masked.matchAll(words())].map(([, index]) => Number(index))),
    sourceOffset(offset) {
      const index = starts.findLastIndex((start) => start <= offset);
      const token = tokens[index];
      if (!token) return offset;
      const afterMask = (starts[index] ?? 0) + `${word}${index}e`.length;
      return offset < afterMask ? token.offset : token.offset + token.text.length + (offset - afterMask);
    },
  };
}
