import { describeOutage, type IngestBatch, type IngestEvent, type IngestOptions } from '@postrider/db';
import { parseTraceparent } from '@postrider/domain';
import type { Metrics, Tracing } from '@postrider/telemetry';

interface Ingestion {
  readonly ingest: IngestEvent;
  readonly ingestBatch: IngestBatch;
}

/** Wraps the ingestion so that it counts accepted events. */
export function countAccepted(metrics: Metrics, { ingest, ingestBatch }: Ingestion): Ingestion {
  const events = metrics.counter('postrider_events_accepted_total', 'Events that were accepted.');
  return {
    async ingest(event) {
      const ingested = await ingest(event);
      if (ingested.outcome === 'accepted') events.inc();
      return ingested;
    },
    async ingestBatch(batch) {
      const ingested = await ingestBatch(batch);
      if (ingested.outcome === 'decided') {
        const accepted = ingested.outcomes.filter(({ outcome }) => outcome === 'accepted').length;
        if (accepted > 0) events.inc({}, accepted);
      }
      return ingested;
    },
  };
}

/**
 * Shows each batch in the traces of all its requests. A span has one parent but a batch has many callers, so the
 * batch's span is a child of the first and linked to the others. Each of the others has its own span, linked to the
 * batch.
 */
export function traceBatches(tracing: Tracing): NonNullable<IngestOptions['watchBatch']> {
  return (events) => {
    const parents = events.flatMap(({ traceparent }) =>
      traceparent && parseTraceparent(traceparent)?.sampled ? [traceparent] : [],
    );
    const [first, ...others] = parents;
    if (first === undefined) return () => undefined;
    const kind = 'internal';
    const attributes = { 'postrider.batch.items': events.length };
    const batch = tracing.begin('accept batch', { kind, parent: first, links: others, attributes });
    const links = [batch.traceparent];
    const parts = others.map((parent) => tracing.begin('accept batch', { kind, parent, links, attributes }));
    return () => {
      for (const span of [...parts, batch]) span.end();
    };
  };
}

/** How long a failure counts while no event comes that could succeed, in milliseconds. */
const FAILURE_COUNTS_MS = 10_000;

/** Whether events can be stored, by the last one that came. */
interface AcceptanceState {
  /** Why the last event could not be stored, if that was just now. */
  readonly problem: () => string | null;
  /** The same function, whose results are remembered. */
  readonly watch: <Input, Result>(
    accept: (input: Input) => Promise<Result>,
  ) => (input: Input) => Promise<Result>;
}

/**
 * Remembers why PostgreSQL stores no events. Some reasons show only then, such as a full disk: everything can still be read.
 */
export function createAcceptanceState(monotonicMs: () => number): AcceptanceState {
  let failure: { readonly problem: string; readonly at: number } | null = null;
  return {
    problem: () => (failure && monotonicMs() - failure.at < FAILURE_COUNTS_MS ? failure.problem : null),
    watch: (accept) => async (input) => {
      try {
        const result = await accept(input);
        failure = null;
        return result;
      } catch (error) {
        const problem = describeOutage(error);
        if (problem !== null) failure = { problem, at: monotonicMs() };
        throw error;
      }
    },
  };
}
