import type { FeedbackEvent } from '@postrider/channels';
import type { Metrics } from '@postrider/telemetry';

interface FeedbackMeasures {
  /** Stored events. `provider` is the name of a known source. */
  recorded(provider: string, events: readonly Pick<FeedbackEvent, 'type'>[]): void;
  /** A refused request: unknown token, wrong signature, or content not in the provider's format. */
  rejected(provider: string, reason: 'token' | 'signature' | 'content'): void;
}

/** Counts what providers report, and what is refused. */
export function measureFeedback(metrics: Metrics): FeedbackMeasures {
  const events = metrics.counter(
    'postrider_feedback_events_total',
    'What providers and mail servers reported of mails, without repeated and unknown reports.',
    ['provider', 'type'],
  );
  const rejected = metrics.counter(
    'postrider_feedback_rejected_total',
    'Requests to the feedback endpoint that were refused: by an unknown token, a wrong signature, or their content.',
    ['provider', 'reason'],
  );
  return {
    recorded(provider, recorded) {
      for (const { type } of recorded) events.inc({ provider, type });
    },
    rejected: (provider, reason) => rejected.inc({ provider, reason }),
  };
}
