import {
  type ChannelSnapshot,
  type EnvironmentSnapshot,
  type PlanFault,
  type PlannedRun,
  planRuns as plan,
} from '@postrider/db';
import type { JsonObject } from '@postrider/domain';
import type { Detail } from '../http/reply.ts';

export interface PlannedRuns {
  readonly runs: readonly PlannedRun[];
  /** What keeps the event from being delivered to every channel; the runs are then not to be used. */
  readonly faults: readonly Detail[];
}

function toDetail(fault: PlanFault, eventKey: string): Detail {
  switch (fault) {
    case 'template_not_found':
      return {
        path: '/event_key',
        code: 'template_not_found',
        message: `no template for e-mail is active for ${eventKey}`,
      };
    case 'recipient_email_missing':
      return {
        path: '/recipient/email',
        code: 'required',
        message: 'is required, because an e-mail channel takes this event',
      };
  }
}

/** Plans the runs of an event, with the faults as a 422 names them (docs/specification.md, "Channel matching"). */
export function planRuns(
  snapshot: EnvironmentSnapshot,
  event: { eventKey: string; recipient: JsonObject | null; channels: readonly ChannelSnapshot[] },
): PlannedRuns {
  const { runs, faults } = plan(snapshot, event);
  return { runs, faults: faults.map((fault) => toDetail(fault, event.eventKey)) };
}
