import type { Request, RequestHandler, Response } from 'express';
import { unlessAnswered } from '../pipeline/enforce-idempotency.ts';
import type { Identified, OperationTraits, Pipeline, Received } from '../pipeline/stage.ts';
import type { Reply } from './reply.ts';
import { contextOf } from './request-context.ts';
import { send } from './send.ts';

/** A route and what it does with a request that has passed the pipeline. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Express' pattern, such as `/api/v1/messages/:messageId`. */
  readonly path: string;
  readonly traits: OperationTraits;
  readonly run: (request: Identified) => Promise<Reply>;
}

async function decide(
  pipeline: Pipeline<Received, Identified>,
  operation: Operation,
  received: Received,
): Promise<Reply> {
  const step = await pipeline.run(received);
  if ('reply' in step) return step.reply;
  return unlessAnswered(step.passed, await operation.run(step.passed));
}

/** An operation as Express mounts it: through the pipeline, carried out, said to be decided, and answered. */
export function protectedRoute(
  pipeline: Pipeline<Received, Identified>,
  operation: Operation,
): RequestHandler {
  return async (http: Request, res: Response) => {
    const context = contextOf(res);
    context.facts.route = operation.path;
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
      reply = await decide(pipeline, operation, received);
    } catch (error) {
      tell(null);
      throw error;
    }
    tell(reply);
    send(http, res, { ...reply, headers: { ...replyHeaders, ...reply.headers } });
  };
}
