import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Preparation } from './request.ts';

/**
 * Headers of every response. It may load nothing, must not be framed, and must not be cached, because most belong to one
 * token and change over time. Routers that serve pages or public keys relax this for themselves. CORS decides which origins
 * may read responses.
 */
export function defaultHeaders(): Preparation {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  });
  const headers = [...headersOf(protect as RequestHandler), ['Cache-Control', 'no-store'] as const];
  return (_req, res) => {
    for (const [name, value] of headers) res.setHeader(name, value);
  };
}

/** The headers that a handler sets on every response alike, so that they are computed once. */
function headersOf(handler: RequestHandler): [string, string][] {
  const headers: [string, string][] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  handler(response.req as Request, response as Response, (error?: unknown) => {
    if (error) throw error;
  });
  return headers;
}

/** How long a browser may cache a preflight, in seconds. Chromium's limit is 2 hours. */
const PREFLIGHT_MAX_AGE_S = 7_200;

/** Response headers that scripts may read in addition to the safelisted ones. */
const EXPOSED_HEADERS = [
  'X-Request-ID',
  'X-Trace-ID',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotent-Replayed',
];

/**
 * Responds to OPTIONS on every path, even an unknown one, with 204 and without a token, and lets pages of the allowed
 * origins read responses (docs/specification.md, "CORS"). Credentials are never allowed, because the token
 * is sent in a header.
 */
export function allowCrossOrigin(allowedOrigins: '*' | readonly string[]): RequestHandler {
  return cors({
    origin: allowedOrigins === '*' ? '*' : [...allowedOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Accept',
      'Idempotency-Key',
      'X-Request-ID',
      'X-Reason',
    ],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_S,
    optionsSuccessStatus: 204,
  });
}
