import type { ChannelRegistry } from '@postrider/channels';
import type { Database, DatabaseClock, IngestEvent, Snapshots } from '@postrider/db';
import type { IdSource } from '@postrider/domain';
import type { EnqueueRuns } from '@postrider/queue';
import type { Request, RequestHandler, Response } from 'express';
import { type Reply, send } from '../http/reply.ts';
import { contextOf } from '../http/request.ts';
import { expressPath } from '../http/routes.ts';
import type { PublicDescription, Resource } from '../openapi/operation.ts';
import { unlessAnswered } from './idempotency.ts';
import type { Identified, Pipeline, Received } from './stage.ts';

/** What the operations of the public API work with. */
export interface OperationDeps {
  readonly kinds: ChannelRegistry;
  readonly db: Database;
  readonly clock: DatabaseClock;
  readonly newId: IdSource;
  readonly ingest: IngestEvent;
  /** Best effort: the rows are the outbox. */
  readonly enqueue: EnqueueRuns;
  readonly snapshots: Pick<Snapshots, 'drop'>;
}

export type RunOperation = (request: Identified) => Promise<Reply>;

/**
 * An operation of the public API, as the OpenAPI document describes it and as the router mounts it: `run` gets what has
 * passed the pipeline.
 */
export type Operation = PublicDescription & { readonly run: (deps: OperationDeps) => RunOperation };

/** A resource of the public API. */
export type PublicResource = Resource<Operation>;

async function decide(
  pipeline: Pipeline<Received, Identified>,
  run: RunOperation,
  received: Received,
): Promise<Reply> {
  const step = await pipeline.run(received);
  if ('reply' in step) return step.reply;
  return unlessAnswered(step.passed, await run(step.passed));
}

/** An operation as Express mounts it: through the pipeline, carried out, said to be decided, and answered. */
export function protectedRoute(
  pipeline: Pipeline<Received, Identified>,
  deps: OperationDeps,
  operation: Operation,
): RequestHandler {
  const run = operation.run(deps);
  const route = expressPath(operation.path);
  return async (http: Request, res: Response) => {
    const context = contextOf(res);
    context.facts.route = route;
    const replyHeaders: Record<string, string> = {};
    const callbacks: ((reply: Reply | null) => void)[] = [];
    const tell = (reply: Reply | null) => {
      for (const callback of callbacks) callback(reply);
    };
    const received = {
      http,
      context,
      traits: operation.traits,
      replyHeaders,
      onDecided: (callback: (reply: Reply | null) => void) => callbacks.push(callback),
    };
    let reply: Reply;
    try {
      reply = await decide(pipeline, run, received);
    } catch (error) {
      tell(null);
      throw error;
    }
    tell(reply);
    send(http, res, { ...reply, headers: { ...replyHeaders, ...reply.headers } });
  };
}
