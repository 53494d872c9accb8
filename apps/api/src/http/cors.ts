import cors from 'cors';
import type { RequestHandler } from 'express';

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
 * of the allowed origins read the answers (docs/specification.md, "CORS"). Credentials are never allowed: the
 * token travels in a header.
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
