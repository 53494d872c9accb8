import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Security headers for an API that serves JSON. Nothing may be loaded by, or frame, an answer; what serves
 * pages (the documentation) loosens the policy for itself. Other origins may read the answers: CORS decides
 * which.
 */
export function securityHeaders(): RequestHandler {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      referrerPolicy: { policy: 'no-referrer' },
    }),
  );
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

type Helmet = ReturnType<typeof helmet>;

/** The headers of helmet are the same for every request, so they are computed once. */
function headersOf(protect: Helmet): [string, string][] {
  const headers: [string, string][] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  protect(response.req, response, (error) => {
    if (error) throw error;
  });
  return headers;
}

/** Responses belong to one token and change over time: they must not be cached. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/**
 * How long a browser may keep the answer to a preflight, in seconds: Chromium keeps none longer than 2 hours.
 */
const PREFLIGHT_MAX_AGE_S = 7_200;

/** Response headers that a page's script may read besides the few that are always readable. */
const EXPOSED_HEADERS = [
  'X-Request-ID',
  'X-Trace-ID',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotent-Replayed',
];

/**
 * Answers OPTIONS on every path, also one that does not exist, with 204 and without a token, and lets pages
 * of the allowed origins read the answers (docs/specification.md, "Reads and actions"). Credentials are never
 * allowed: the token travels in a header.
 */
export function allowCrossOrigin(allowedOrigins: '*' | readonly string[]): RequestHandler {
  return cors({
    origin: allowedOrigins === '*' ? '*' : [...allowedOrigins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Accept', 'Idempotency-Key', 'X-Request-ID'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_S,
    optionsSuccessStatus: 204,
  });
}
