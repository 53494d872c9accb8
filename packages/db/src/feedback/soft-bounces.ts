import { canonicalAddress } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { HAS_ADDRESS } from '../recipient-address.ts';
import { defineStatement } from '../statement.ts';

/** The newest messages to an address that are examined. Most have one run with an outcome. */
const MAX_MESSAGES = 200;

interface SoftBounces {
  /** When the suppression ends, or null if there are not enough bounces. */
  readonly until: Date | null;
  readonly limit: number;
}

interface Address {
  readonly environmentId: string;
  readonly email: string;
}

const count = defineStatement<Address, SoftBounces>({
  text: `
    SELECT settings.soft_bounce_limit AS "limit",
           CASE WHEN settings.soft_bounce_limit > 0 AND last.bounces = settings.soft_bounce_limit
                THEN date_trunc('milliseconds', now()) + make_interval(days => settings.soft_bounce_pause_days) END AS until
      FROM environments settings
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE bounced)::int AS bounces FROM (
         SELECT bounced FROM (
           SELECT id, environment_id FROM message_recipients
            WHERE environment_id = settings.id AND ${HAS_ADDRESS}
              AND created_at > now() - make_interval(days => settings.soft_bounce_days)
            ORDER BY id DESC LIMIT ${MAX_MESSAGES}) AS message
         JOIN delivery_runs run
           ON run.environment_id = message.environment_id AND run.message_id = message.id AND run.channel_kind = 'email'
        CROSS JOIN LATERAL (
          SELECT EXISTS (
            SELECT FROM run_feedback report
             WHERE report.run_id = run.id AND report.type = 'bounced' AND NOT report.of_copy) AS bounced) AS outcome
         WHERE bounced OR run.status = 'succeeded'
         ORDER BY run.message_id DESC, run.id DESC LIMIT settings.soft_bounce_limit) AS newest) AS last
     WHERE settings.id = :environmentId::uuid`,
  parameters: { address: ({ email }) => canonicalAddress(email) },
});

/**
 * Whether the last emails to an address bounced, as many in a row as the environment's settings say and within their time,
 * so that it is suppressed for a while. A bounce counts for its message, whenever it was reported; an email that was sent and
 * did not bounce ends the row. Permanent bounces suppress by themselves. The transaction sees the bounces that it has stored.
 */
export async function countSoftBounces(tx: Queryable, address: Address): Promise<SoftBounces> {
  const [row] = await count(tx, address);
  return row ?? { until: null, limit: 0 };
}
