import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { formRefusal, type Reply } from './reply.ts';
import { contextOf } from './request-context.ts';

/**
 * A body that nobody wants any more is read and thrown away up to here, so that its sender can read the
 * answer.
 */
const DRAIN_LIMIT_BYTES = 4 * 1024 * 1024;

/** RFC 9110 section 8.6: such an answer has no Content-Length. */
const NO_CONTENT = 204;

/** Reads the rest of a refused body away, or hangs up on a client that goes on and on. */
function drain(req: IncomingMessage): void {
  if (req.readableEnded || req.destroyed) return;
  let drained = 0;
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_LIMIT_BYTES) req.destroy();
  });
}

/**
 * Sends a reply, byte for byte as it was formed. A refusal gets its status from the error table and this
 * request's id.
 */
export function send(req: Request, res: Response, reply: Reply): void {
  const context = contextOf(res);
  if ('refused' in reply) context.facts.error_code = reply.refused;
  const { status, body, headers } = 'refused' in reply ? formRefusal(reply, context.requestId) : reply;
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
  if (status !== NO_CONTENT) {
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Length', body.byteLength);
  }
  drain(req);
  res.end(body);
}
