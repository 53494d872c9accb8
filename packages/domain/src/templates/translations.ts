import { parse } from '@formatjs/icu-messageformat-parser';
import { escapePointerSegment } from '../storable-json.ts';
import { fallbacksOf } from './resources.ts';
import type { TemplateIssue } from './template-types.ts';

/** Messages of one translation. */
export const MAX_MESSAGES = 5_000;
export const MAX_MESSAGE_KEY_CHARACTERS = 200;
/** Characters of one message. */
export const MAX_PATTERN_CHARACTERS = 4_000;
/** The deepest nesting of plurals and selects in a message. */
const MAX_PATTERN_DEPTH = 10;
/** Further issues are not reported. */
const MAX_ISSUES = 100;

/** The nesting depth of braces, which the parser handles recursively. */
function depthOf(pattern: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of pattern) {
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** An error of the parser. Its message is a code such as `EXPECT_ARGUMENT_CLOSING_BRACE`. */
type PatternError = {
  readonly message: string;
  readonly location?: { readonly start: { readonly line: number; readonly column: number } };
};

const inWords = (code: string) => code.toLowerCase().replaceAll('_', ' ');

function issueOf(key: string, pattern: string): TemplateIssue | null {
  const path = `/messages/${escapePointerSegment(key)}`;
  if (depthOf(pattern) > 2 * MAX_PATTERN_DEPTH) {
    return { path, message: `plurals and selects may be nested at most ${MAX_PATTERN_DEPTH} levels deep` };
  }
  try {
    parse(pattern, { ignoreTag: true });
    return null;
  } catch (error) {
    const { message, location } = error as PatternError;
    const position = location && { line: location.start.line, column: location.start.column };
    return { path, message: `is not an ICU message: ${inWords(message)}`, ...position };
  }
}

/** Issues of the messages of a new translation, at most 100. Without issues it can be stored. */
export function checkMessages(messages: Readonly<Record<string, string>>): TemplateIssue[] {
  const issues: TemplateIssue[] = [];
  for (const [key, pattern] of Object.entries(messages)) {
    const issue = issueOf(key, pattern);
    if (issue) issues.push(issue);
    if (issues.length >= MAX_ISSUES) break;
  }
  return issues;
}

/** The message keys that templates use and a language lacks. */
interface MissingMessages {
  readonly locale: string;
  readonly keys: readonly string[];
}

/**
 * The keys that each language lacks. A key that `fr-CA` lacks and `fr` has is not missing; one that only the default
 * locale has is, because it would be read in the wrong language. The default locale is included even if it has no
 * translation.
 */
export function findMissingMessages(
  keys: readonly string[],
  translations: ReadonlyMap<string, ReadonlySet<string>>,
  defaultLocale: string,
): MissingMessages[] {
  return [...new Set([defaultLocale, ...translations.keys()])].flatMap((locale) => {
    const searched = fallbacksOf(locale).flatMap((name) => translations.get(name) ?? []);
    const missing = keys.filter((key) => !searched.some((found) => found.has(key)));
    return missing.length === 0 ? [] : [{ locale, keys: missing }];
  });
}
