import { parseTraceparent } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { type Tracing, unfailing } from '../src/tracing.ts';
import { recordingLogger } from './lines.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

const fail = (): never => {
  throw new Error('the tracer is broken');
};
const close = () => Promise.resolve();

describe('a tracer that throws', () => {
  it("when a span starts, gives the work a span that is not exported, in its parent's trace", () => {
    const { logger, entries } = recordingLogger();
    const tracing = unfailing({ begin: fail, close }, logger);
    const span = tracing.begin('request', { kind: 'server', parent: PARENT });
    expect(span).toMatchObject({ traceId: TRACE, isSampled: false });
    expect(parseTraceparent(span.traceparent)).toMatchObject({ traceId: TRACE, sampled: false });
    expect(() => span.end({ failure: 'late' })).not.toThrow();

    const root = tracing.begin('request', { kind: 'server', parent: null });
    expect(parseTraceparent(root.traceparent)?.traceId).toBe(root.traceId);
    expect(root.traceId).not.toBe(TRACE);
    expect(entries()).toHaveLength(1);
    expect(entries()[0]).toMatchObject({ message: 'a span could not be recorded' });
  });

  it('when a span ends, is logged, and the work continues', () => {
    const { logger, entries } = recordingLogger();
    const span = { traceId: TRACE, traceparent: PARENT, isSampled: true, end: fail };
    const tracer: Tracing = { begin: () => span, close };
    const begun = unfailing(tracer, logger).begin('request', { kind: 'server', parent: null });
    expect(begun).toMatchObject({ traceId: TRACE, traceparent: PARENT, isSampled: true });
    expect(() => begun.end()).not.toThrow();
    expect(entries()).toHaveLength(1);
  });
});
