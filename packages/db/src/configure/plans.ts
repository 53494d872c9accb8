import type { ChannelKind } from '../accept/types.ts';
import type { Queryable } from '../client.ts';

/** A plan's figures; null means unlimited. */
export interface PlanInput {
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
export async function putPlan(db: Queryable, { code, channelKinds, ...figures }: PlanInput): Promise<void> {
  const values = { ...figures, channelKinds: [...channelKinds] };
  await db.plan.upsert({ where: { code }, create: { code, ...values }, update: values });
}
