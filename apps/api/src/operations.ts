import type { Router } from 'express';
import { cancelRun } from './delivery-runs/cancel-run.ts';
import { type CreateEventDeps, createEvent } from './events/create-event.ts';
import { type Operation, protectedRoute } from './http/protected-route.ts';
import { mountRoutes } from './http/routes.ts';
import { getLimits } from './limits/get-limits.ts';
import { getDeliveries } from './messages/get-deliveries.ts';
import { getMessage } from './messages/get-message.ts';
import { listMessages } from './messages/list-messages.ts';
import { type ReplayMessageDeps, replayMessage } from './messages/replay-message.ts';
import type { Identified, Pipeline, Received } from './pipeline/stage.ts';
import { getUsage } from './usage/get-usage.ts';

export type OperationDeps = CreateEventDeps & ReplayMessageDeps & Parameters<typeof cancelRun>[0];

/** Every protected operation: see docs/specification.md. */
export function createOperations(deps: OperationDeps): readonly Operation[] {
  return [
    createEvent(deps),
    listMessages(deps),
    getMessage(deps),
    getDeliveries(deps),
    replayMessage(deps),
    cancelRun(deps),
    getUsage(deps),
    getLimits(),
  ];
}

/** Routes the operations through the pipeline; a path that has no operation for a method answers 405. */
export function mountOperations(
  pipeline: Pipeline<Received, Identified>,
  operations: readonly Operation[],
): Router {
  return mountRoutes(
    operations.map((operation) => ({ ...operation, handler: protectedRoute(pipeline, operation) })),
  );
}
