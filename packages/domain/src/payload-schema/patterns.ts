import { RE2JS } from 're2js';
import { MAX_PATTERN_SIZE } from './limits.ts';

/** A regular expression that matches any text in linear time. */
interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** Instructions: matching takes at most as many steps for each character. */
  readonly size: number;
}

type CompiledPattern =
  | { readonly outcome: 'compiled'; readonly pattern: LinearPattern }
  | { readonly outcome: 'refused'; readonly reason: string };

const MAX_REASON_CHARACTERS = 200;

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_CHARACTERS);

/**
 * Compiles a JSON Schema pattern (ECMA-262 with Unicode, JSON Schema core section 6.4) for an engine without
 * backtracking. Refuses patterns that such an engine cannot match (look-around, back-references), that repeat a part
 * more than 1,000 times, or that are not valid ECMA-262. Patterns mean the same in both dialects, except that `\s` is
 * ASCII white space here and `.` matches everything except a line feed.
 */
export function compilePattern(source: string): CompiledPattern {
  try {
    new RegExp(source, 'u');
  } catch {
    return { outcome: 'refused', reason: 'is not a regular expression of ECMA-262 (flag u)' };
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    const size = compiled.programSize();
    if (size > MAX_PATTERN_SIZE) {
      return { outcome: 'refused', reason: `compiles to ${size} instructions; at most ${MAX_PATTERN_SIZE}` };
    }
    return { outcome: 'compiled', pattern: { test: (text) => compiled.test(text), size } };
  } catch (error) {
    return { outcome: 'refused', reason: `cannot be matched in linear time: ${reasonOf(error)}` };
  }
}
