import { type ConsumerSnapshot, createNamedConsumers, type EnvironmentSnapshot } from '@postrider/db';
import { type Detail, invalid, type JsonValue, retryLater, SELF_SERVICE_LIMITS } from '@postrider/domain';
import { exhaustedLimit, type LimitedTokens, noTokens, unlimited } from '../pipeline/limits.ts';
import type { OperationDeps } from '../pipeline/operation.ts';
import type { ApiRequest } from '../pipeline/stage.ts';
import { consumerIdOf, type NamedConsumers, NO_CONSUMERS } from './create-event.ts';

const NO_MORE_CONSUMERS: Detail = {
  path: '/consumer',
  code: 'unknown_consumer',
  message:
    `is not a consumer of this environment, which already has ${SELF_SERVICE_LIMITS.consumers} or more (including ` +
    'deleted ones), so events cannot create another. An operator can',
};

/** Finds the consumers of events and enforces their limits. An event without one costs a look at its body. */
export function createEventConsumers({
  db,
  snapshots,
  takeBucketTokens,
}: Pick<OperationDeps, 'db' | 'snapshots' | 'takeBucketTokens'>) {
  const createNamed = createNamedConsumers(db);

  return {
    /** The existing consumers that these bodies name. */
    async find(bodies: readonly JsonValue[], { environment }: EnvironmentSnapshot): Promise<NamedConsumers> {
      const ids = new Set(bodies.map(consumerIdOf).filter((id) => id !== null));
      if (ids.size === 0) return NO_CONSUMERS;
      const found = await Promise.all(
        [...ids].map((id) => snapshots.consumer({ environmentId: environment.id, id })),
      );
      return new Map(found.flatMap((consumer) => (consumer ? [[consumer.id, consumer] as const] : [])));
    },

    /**
     * Admits `wanted` valid events of the consumer with this id, within its limits, or with `whole` all or none. Creates the
     * consumer if there is none, which only an environment that creates consumers lets happen. The log of the request names it.
     */
    async admit(
      request: ApiRequest,
      { id, consumer }: { readonly id: string; readonly consumer: ConsumerSnapshot | undefined },
      { wanted, whole }: { readonly wanted: number; readonly whole: boolean },
    ): Promise<LimitedTokens> {
      const { snapshot } = request;
      const environmentId = snapshot.environment.id;
      if (!consumer) {
        const isStored = await createNamed({ environmentId, id });
        if (!isStored) return noTokens(invalid([NO_MORE_CONSUMERS]));
        request.context.facts.consumer_created = id;
        snapshots.drop(`consumer:${environmentId}:${id}`);
        return unlimited(wanted);
      }
      const { eventsPerMonth: limit, eventsUsed: used, eventsPerSecond } = consumer;
      const refusal = exhaustedLimit({ limit, used, consumerId: id }, snapshot.databaseNow);
      if (refusal) return noTokens(refusal);
      if (eventsPerSecond === null) return unlimited(wanted);
      const rate = { requestsPerSecond: eventsPerSecond, burst: eventsPerSecond };
      const tokens = await takeBucketTokens(`${environmentId}:${id}`, rate, { wanted, whole });
      const { taken, giveBack, retryAfterMs } = tokens;
      if (taken === wanted) return { taken, refusal: null, giveBack };
      const limited = retryLater(
        'rate_limited',
        retryAfterMs / 1_000,
        `The consumer ${id} may receive ${eventsPerSecond} events per second.`,
      );
      return { taken, refusal: limited, giveBack };
    },
  };
}

export type EventConsumers = ReturnType<typeof createEventConsumers>;
