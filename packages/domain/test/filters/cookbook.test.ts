import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@postrider/testing';
import { compileFilter, FilterMeter, MAX_FILTER_STEPS } from '../../src/filters/index.ts';

const page = readFileSync(new URL('../../../../docs/guides/filters.md', import.meta.url), 'utf8');
/** Each filter, with the events that it takes and those that it leaves. */
const RECIPES = [...page.matchAll(/```json\n(.+)\n```\n\nTakes (.+), leaves (.+)\.$/gm)].map(
  ([, filter = '', taken = '', left = '']) => ({ filter, taken, left }),
);
const eventsIn = (text: string) =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, event = '']) => ({
    ...{ event_key: 'order.shipped', recipient: {}, payload: {} },
    ...JSON.parse(event),
  }));

describe('docs/guides/filters.md', () => {
  it('says of each filter which events it takes', () => {
    expect(RECIPES).toHaveLength(page.match(/^```json$/gm)?.length ?? 0);
    expect(RECIPES.length).toBeGreaterThan(15);
  });

  it.each(RECIPES)('$filter takes and leaves the events that it names', ({ filter, taken, left }) => {
    const compiled = compileFilter(JSON.parse(filter));
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.issues));
    const takes = (event: ReturnType<typeof eventsIn>[number]) =>
      compiled.filter.holds(event, new FilterMeter(MAX_FILTER_STEPS));

    expect(eventsIn(taken).map(takes)).not.toContain(false);
    expect(eventsIn(left).map(takes)).not.toContain(true);
  });
});
