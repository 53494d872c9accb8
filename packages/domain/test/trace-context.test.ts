import { describe, expect, it } from '@postrider/testing';
import { createSpanId, createTraceId, formatTraceparent, parseTraceparent } from '../src/index.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  it.each([
    ['sampled', `00-${TRACE}-${SPAN}-01`, true],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, false],
    ['with flags that are not known', `00-${TRACE}-${SPAN}-ff`, true],
    ['of a later version', `cc-${TRACE}-${SPAN}-01`, true],
    ['of a later version with more to it', `01-${TRACE}-${SPAN}-00-what-follows`, false],
  ])('is continued when %s', (_, header, sampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, parentId: SPAN, sampled });
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['of version ff', `ff-${TRACE}-${SPAN}-01`],
    ['of version 00 with more to it', `00-${TRACE}-${SPAN}-01-more`],
    ['with more that no hyphen parts', `cc-${TRACE}-${SPAN}-01.more`],
    ['in upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['with a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['too short', `00-${TRACE}-${SPAN}`],
    ['sent twice', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])('is ignored when %s', (_, header) => {
    expect(parseTraceparent(header)).toBeNull();
  });

  it('is parsed as it was formatted', () => {
    const [traceId, spanId] = [createTraceId(), createSpanId()];
    for (const sampled of [true, false]) {
      const header = formatTraceparent({ traceId, spanId, sampled });
      expect(parseTraceparent(header)).toEqual({ traceId, parentId: spanId, sampled });
    }
  });

  it('does not repeat', () => {
    const ids = Array.from({ length: 10_000 }, () => [createTraceId(), createSpanId()]).flat();
    expect(new Set(ids).size).toBe(20_000);
  });

  it('never has an all-zero id, even from a broken source of randomness', () => {
    const zeros = (size: number) => new Uint8Array(size);
    expect(createTraceId(zeros)).toBe(`${'0'.repeat(31)}1`);
    expect(createSpanId(zeros)).toBe(`${'0'.repeat(15)}1`);
  });
});
