import { ACCOUNT } from './account/operations.ts';
import { ADMIN_RESOURCES } from './admin/resources.ts';
import { DELIVERY_RUNS } from './delivery-runs/cancel-run.ts';
import { EVENTS } from './events/create-event.ts';
import { MESSAGES } from './messages/operations.ts';
import type { OperationDescription, Resource } from './openapi/operation.ts';
import type { PublicResource } from './pipeline/protected-route.ts';

/** The public API, in the order of its page. */
export const PUBLIC_RESOURCES: readonly PublicResource[] = [EVENTS, MESSAGES, DELIVERY_RUNS, ACCOUNT];

/** Everything that is mounted, which is everything that the OpenAPI document describes. */
export const RESOURCES: readonly Resource[] = [...PUBLIC_RESOURCES, ...ADMIN_RESOURCES];

export const OPERATIONS: readonly OperationDescription[] = RESOURCES.flatMap(({ operations }) => operations);
