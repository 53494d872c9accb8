import { createHash } from 'node:crypto';
import { clientOf } from '@postrider/listener';
import type { RequestHandler } from 'express';
import { type AdmissionBounds, type Admit, admitRequest } from './admission.ts';
import { send } from './reply.ts';

/** Bytes that never change while the process runs. */
export interface Content {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

/** The names stay the same from one release to the next, so a browser asks whether its copy is current. */
const REVALIDATE = 'no-cache';

/** Content of a media type, with a strong ETag of its bytes. */
export function createContent(bytes: Buffer, type: string): Content {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, type, etag };
}

/**
 * Anyone may ask for static content, and the system copies a response even where nobody reads it. So each address has
 * room for a few whole responses, and all addresses together for some dozens.
 */
export const STATIC_BOUNDS: AdmissionBounds = {
  total: 32 * 1024 * 1024,
  share: 8 * 1024 * 1024,
  waitMs: 5_000,
  waitingPerOwner: 64,
  waiting: 1_024,
};

/**
 * Answers GET and HEAD with the content, or 304 when the client has it. All responses share the one Buffer and none
 * opens a file, so that responses that nobody reads cost neither memory nor descriptors. `admit` bounds the bytes in
 * flight for each address: beyond it the response is 429 or 503.
 */
export function sendContent({ bytes, type, etag }: Content, admit: Admit): RequestHandler {
  return async (request, response) => {
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', REVALIDATE);
    if (request.fresh) {
      response.statusCode = 304;
      response.end();
      return;
    }
    const step = await admitRequest(admit, {
      http: request,
      holder: { owner: clientOf(request.socket.remoteAddress ?? '') },
      use: 'ignored',
      limit: 0,
      responseBytes: request.method === 'HEAD' ? 0 : bytes.byteLength,
    });
    if ('reply' in step) {
      send(request, response, step.reply);
      return;
    }
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Length', bytes.byteLength);
    response.end(request.method === 'HEAD' ? undefined : bytes);
  };
}
