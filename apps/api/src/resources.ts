import { channelKinds, perRegistry } from '@postrider/channels';
import { accountResource } from './account/operations.ts';
import { SUPPORT_TAG } from './admin/messages.ts';
import { actedBy } from './admin/mount.ts';
import { adminResources } from './admin/resources.ts';
import { selfServiceResources } from './admin/self-service.ts';
import { deliveryRunsResource } from './delivery-runs/cancel-run.ts';
import { BATCH_RESULTS_SCHEMA } from './events/batch-schema.ts';
import { createEvents } from './events/create-batch.ts';
import { createEvent } from './events/create-event.ts';
import { messagesResource } from './messages/operations.ts';
import type { OperationDescription, Resource } from './openapi/operation.ts';
import type { PublicResource } from './pipeline/operation.ts';
import { STATS } from './stats/operations.ts';
import { STREAM } from './stream/operations.ts';

/** Most requests are for its operations, so the app routes to it first. */
export const EVENTS: PublicResource = {
  tag: { name: 'Events', description: 'Events that your product sends.' },
  schemas: { EventResults: BATCH_RESULTS_SCHEMA },
  operations: [createEvent, createEvents],
};

/** The resources of the public API for these channel kinds, in the order of the documentation. */
export const publicResources = perRegistry((kinds): readonly PublicResource[] => [
  EVENTS,
  messagesResource(kinds),
  deliveryRunsResource(kinds),
  STATS,
  STREAM,
  accountResource(kinds),
]);

/** The operations of {@link publicResources} that operators can call for any environment. */
export const actingOperations = perRegistry((kinds) =>
  publicResources(kinds).flatMap(({ operations }) => operations.flatMap(actedBy)),
);

/** All mounted resources, which the OpenAPI document describes. */
export const resourcesOf = perRegistry((kinds): readonly Resource[] => [
  ...publicResources(kinds),
  ...adminResources(kinds),
  { tag: SUPPORT_TAG, schemas: {}, operations: actingOperations(kinds) },
  ...selfServiceResources(kinds),
]);

/** The resources for the service's own channel kinds. */
export const RESOURCES = resourcesOf(channelKinds);

export const OPERATIONS: readonly OperationDescription[] = RESOURCES.flatMap(({ operations }) => operations);
