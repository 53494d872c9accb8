import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { createFairSemaphore, type FairSemaphoreOptions } from '@postrider/fairness';
import { clientOf, createOriginLookup, type OriginLookup } from '@postrider/listener';
import type { Request, RequestHandler } from 'express';
import { admitRequest } from './admission.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The media type of a file by its name; undefined for a file that is not served. */
export const typeOf = (path: string): string | undefined => TYPES[extname(path)];

/** Bytes that never change while the process runs. */
export interface Content {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  /** Its compressed forms, by content coding. */
  readonly encoded?: { readonly br?: Buffer; readonly gzip?: Buffer };
  /** Whether its name changes with its bytes. */
  readonly isImmutable?: boolean;
}

/** Names stay the same across releases, so a browser must revalidate its copy. */
const REVALIDATE = 'no-cache';
const KEEP = 'public, max-age=31536000, immutable';

/** Creates content with a media type and a strong ETag. */
export function createContent(bytes: Buffer, type: string): Content {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, type, etag };
}

/**
 * Static content needs no token, and the system copies a response even if the client does not read it. So each client
 * has room for a few whole responses, and all clients together for a few dozen.
 */
const STATIC_BOUNDS: FairSemaphoreOptions = {
  total: 32 * 1024 * 1024,
  perOwner: 8 * 1024 * 1024,
  waitMs: 5_000,
  maxWaitingPerOwner: 64,
  maxWaiting: 1_024,
};

/** The encoding of the content that a request accepts, with the ETag of that encoding. */
function formFor(
  { bytes, etag, encoded }: Content,
  request: Request,
): Pick<Content, 'bytes' | 'etag'> & { coding?: string } {
  if (!encoded) return { bytes, etag };
  const coding = request.acceptsEncodings(['br', 'gzip', 'identity']);
  const form = coding === 'br' || coding === 'gzip' ? encoded[coding] : undefined;
  if (!form) return { bytes, etag };
  return { bytes: form, etag: `${etag.slice(0, -1)}-${coding}"`, coding: String(coding) };
}

export interface StaticOptions {
  /** Finds the client of a request; by default the peer of the connection. */
  readonly originOf?: OriginLookup;
  readonly bounds?: FairSemaphoreOptions;
}

/**
 * Creates the handlers of a site. Each serves its content to GET and HEAD, or 304 if the client has it. All responses share one Buffer
 * and none opens a file, so unread responses cost neither memory nor descriptors. `bounds` limit the bytes of the site in flight to
 * each client and to all, beyond which the response is 429 or 503.
 */
export function createSendContent({
  originOf = createOriginLookup([]),
  bounds = STATIC_BOUNDS,
}: StaticOptions = {}): (content: Content) => RequestHandler {
  const bytesInFlight = createFairSemaphore(bounds);
  return (content) => async (request, response) => {
    const { bytes, etag, coding } = formFor(content, request);
    response.setHeader('ETag', etag);
    if (content.encoded) response.setHeader('Vary', 'Accept-Encoding');
    const isKnown = request.fresh;
    if (!isKnown) {
      await admitRequest(bytesInFlight, {
        http: request,
        res: response,
        holder: { owner: clientOf(originOf(request).address) },
        use: 'ignored',
        limit: 0,
        memory: request.method === 'HEAD' ? 0 : bytes.byteLength,
      });
    }
    // Not before: caches would keep a refusal for as long.
    response.setHeader('Cache-Control', content.isImmutable ? KEEP : REVALIDATE);
    if (isKnown) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', content.type);
    response.setHeader('Content-Length', bytes.byteLength);
    if (coding) response.setHeader('Content-Encoding', coding);
    response.end(request.method === 'HEAD' ? undefined : bytes);
  };
}
