import { checkPayloadSchema, type JsonObject, type PayloadSchemaFault } from '@postrider/domain';
import { type Database, Prisma } from '../client.ts';

export interface EventTypeInput {
  readonly environmentId: string;
  readonly eventKey: string;
  readonly description: string | null;
  /** JSON Schema 2020-12 that payloads must fulfil; null for none. */
  readonly payloadSchema: JsonObject | null;
}

export type PutEventTypeOutcome =
  | { readonly outcome: 'stored' }
  | { readonly outcome: 'invalid_schema'; readonly faults: readonly PayloadSchemaFault[] };

/**
 * Describes an event key of an environment, or changes its description. A schema that could not be used is
 * not stored.
 */
export async function putEventType(
  db: Database,
  { environmentId, eventKey, description, payloadSchema }: EventTypeInput,
): Promise<PutEventTypeOutcome> {
  const faults = payloadSchema === null ? [] : checkPayloadSchema(payloadSchema);
  if (faults.length > 0) return { outcome: 'invalid_schema', faults };
  const values = {
    description,
    payloadSchema: payloadSchema === null ? Prisma.DbNull : (payloadSchema as Prisma.InputJsonObject),
  };
  await db.eventType.upsert({
    where: { environmentId_eventKey: { environmentId, eventKey } },
    create: { environmentId, eventKey, ...values },
    update: values,
  });
  return { outcome: 'stored' };
}
