import { RE2JS } from 're2js';
import { MAX_PATTERN_SIZE } from './limits.ts';

/** A regular expression that matches any text in linear time. */
interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** Instructions: matching takes at most as many steps for each character. */
  readonly size: number;
}

/** Thrown for a pattern that schemas cannot have; the message says why, and is shown to the user. */
export class PatternError extends Error {}

const MAX_REASON_CHARACTERS = 200;

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_CHARACTERS);

/**
 * Compiles a JSON Schema pattern (ECMA-262 with Unicode, JSON Schema core section 6.4) for an engine without
 * backtracking. Patterns mean the same in both dialects, except that `\s` is ASCII white space here and `.` matches
 * everything except a line feed.
 * @throws PatternError with the reason for patterns that such an engine cannot match (look-around, back-references), that
 * repeat a part more than 1,000 times, or that are not valid ECMA-262
 */
export function compilePattern(source: string): LinearPattern {
  try {
    new RegExp(source, 'u');
  } catch {
    throw new PatternError('is not a regular expression of ECMA-262 (flag u)');
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    throw new PatternError(`cannot be matched in linear time: ${reasonOf(error)}`);
  }
  const size = compiled.programSize();
  if (size > MAX_PATTERN_SIZE) {
    throw new PatternError(`compiles to ${size} instructions; at most ${MAX_PATTERN_SIZE}`);
  }
  return { test: (text) => compiled.test(text), size };
}
