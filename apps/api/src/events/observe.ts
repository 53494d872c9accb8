import type { IngestBatch, IngestEvent, IngestOptions } from '@postrider/db';
import { parseTraceparent } from '@postrider/domain';
import type { Metrics, Tracing } from '@postrider/telemetry';

interface Ingestion {
  readonly ingest: IngestEvent;
  readonly ingestBatch: IngestBatch;
}

/** The same, with a count of the events that they accept. */
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
 * Shows each batch in the traces of all requests that it served. A span has one parent and a batch has many
 * callers, so the batch itself is below the first of them and linked to the others; each of those has a span of
 * its own for its part, linked to the batch.
 */
export function traceBatches(tracing: Tracing): NonNullable<IngestOptions['watchBatch']> {
  return (events) => {
    const parents = events.flatMap(({ traceparent }) =>
      traceparent !== null && parseTraceparent(traceparent)?.sampled ? [traceparent] : [],
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
