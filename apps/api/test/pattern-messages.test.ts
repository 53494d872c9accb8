import { describe, expect, it } from '@postrider/testing';
import { OPERATIONS } from '../src/resources.ts';
import { compileBody } from '../src/validation/body.ts';

/** The patterns of a schema and its parts. */
function patternsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, part]) =>
    key === 'pattern' && typeof part === 'string' ? [part] : patternsOf(part),
  );
}

const PATTERNS = [...new Set(OPERATIONS.flatMap(({ body }) => patternsOf(body?.schema)))];

describe('a text in the wrong form', () => {
  it.each(PATTERNS)('is refused in words, not with %s', (pattern) => {
    const { issues } = compileBody({ type: 'string', pattern })('!\n');
    expect(issues).toEqual([expect.objectContaining({ code: 'invalid_format' })]);
    expect(issues[0]?.message).toMatch(/^must (?:be|consist of|not contain) /);
    expect(issues[0]?.message).not.toMatch(/\^|pattern/);
  });

  it('is looked for in the settings of all kinds and providers', () => {
    expect(PATTERNS.length).toBeGreaterThanOrEqual(14);
  });
});
