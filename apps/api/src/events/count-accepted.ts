import type { IngestEvent } from '@postrider/db';
import type { Metrics } from '@postrider/telemetry';

/** `ingest`, and a count of the events that it accepts. */
export function countAccepted(metrics: Metrics, ingest: IngestEvent): IngestEvent {
  const events = metrics.counter('postrider_events_accepted_total', 'Events that were accepted.');
  return async (event) => {
    const ingested = await ingest(event);
    if (ingested.outcome === 'accepted') events.inc();
    return ingested;
  };
}
