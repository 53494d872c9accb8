import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
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

/** What helmet sets is the same for every request, so it is asked once and not by a chain of twelve handlers. */
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

/** Answers are about one token's environment and about now: nobody may store them. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
