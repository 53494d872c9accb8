import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Security headers for an API that serves JSON. Nothing may be loaded by, or frame, an answer; what serves
 * pages (the documentation) loosens the policy for itself. Other origins may read the answers: CORS decides
 * which.
 */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  });
}

/** Answers are about one token's environment and about now: nobody may store them. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
