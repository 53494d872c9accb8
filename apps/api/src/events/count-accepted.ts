import type { IngestBatch, IngestEvent } from '@postrider/db';
import type { Metrics } from '@postrider/telemetry';

export interface Ingestion {
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
