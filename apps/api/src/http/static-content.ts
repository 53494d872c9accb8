import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

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
 * Answers GET and HEAD with the content, or 304 when the client has it. All responses share the one Buffer and none
 * opens a file, so that responses that nobody reads cost neither memory nor descriptors.
 */
export function sendContent({ bytes, type, etag }: Content): RequestHandler {
  return (request, response) => {
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', REVALIDATE);
    if (request.fresh) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Length', bytes.byteLength);
    response.end(request.method === 'HEAD' ? undefined : bytes);
  };
}
