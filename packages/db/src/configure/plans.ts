import type { ChannelKind } from '@postrider/domain';
import type { Queryable } from '../client.ts';

/** What a tenant may use; null means unlimited. */
export interface Plan {
  readonly code: string;
  readonly name: string;
  readonly eventsPerMonth: number | null;
  /** Given together or not at all. */
  readonly requestsPerSecond: number | null;
  readonly burst: number | null;
  readonly maxPayloadBytes: number | null;
  readonly maxScheduleDays: number | null;
  readonly retentionDays: number | null;
  readonly channelKinds: readonly ChannelKind[];
}

/** Creates a plan, or brings the plan of this code to these figures. */
export async function putPlan(db: Queryable, { code, channelKinds, ...figures }: Plan): Promise<void> {
  const values = { ...figures, channelKinds: [...channelKinds] };
  await db.plan.upsert({ where: { code }, create: { code, ...values }, update: values });
}
