/** A Liquid tag or output in a source. */
export interface LiquidToken {
  readonly text: string;
  /** Where it begins in the source. */
  readonly offset: number;
}

/** A source whose Liquid is replaced by words that a markup compiler leaves unchanged. */
export interface MaskedSource {
  readonly text: string;
  readonly tokens: readonly LiquidToken[];
  /** Replaces the words in compiled text by their Liquid. */
  readonly restore: (text: string) => string;
  /** The indices of the tokens whose words occur in a text. */
  readonly tokensIn: (text: string) => ReadonlySet<number>;
  /** Converts an offset in the masked text to one in the source. */
  readonly sourceOffset: (offset: number) => number;
}

/** The caller has parsed the source as Liquid, so every tag is closed. */
const LIQUID = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

export function findLiquid(source: string): LiquidToken[] {
  return Array.from(source.matchAll(LIQUID), ({ 0: text, index }) => ({ text, offset: index }));
}

/** Returns letters that do not occur in the source, so that its own words are not mistaken for masks. */
function unusedWord(source: string): string {
  let count = 0;
  while (source.includes(`liquid${count}n`)) count += 1;
  return `liquid${count}n`;
}

/**
 * Masks the Liquid in a source. Words of lower-case letters and digits are valid wherever Liquid can occur: in text,
 * attributes and style values.
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
