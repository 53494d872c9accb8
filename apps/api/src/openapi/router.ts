import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { methodNotAllowed } from '../http/not-found.ts';
import { contextOf } from '../http/request-context.ts';
import { type Content, createContent, sendContent } from '../http/static-content.ts';
import { createOpenApiDocument } from './document.ts';
import type { Resource } from './operation.ts';
import { ASSETS_PATH, PAGE, START_SCRIPT } from './page.ts';

/** Files of swagger-ui-dist that the page loads; nothing else of the package is served. */
const BUNDLED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
const BUNDLE_MANIFEST = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

/**
 * For /docs alone: scripts, styles and requests of this origin. Swagger UI draws icons from data URLs and
 * sets style attributes, which need 'unsafe-inline' for styles; scripts stay without it.
 */
const pageSecurity: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

function bundled(file: string): Content {
  return createContent(readFileSync(join(dirname(BUNDLE_MANIFEST), file)), TYPES[extname(file)] ?? '');
}

/**
 * Serves the OpenAPI document at GET /openapi.json and a page to read and try it at GET /docs. Mount it after
 * `openRequest` and before `routeNotFound`. Neither needs a token; nothing is loaded from elsewhere. Everything
 * is read once, here, and each response sends the same bytes.
 */
export function createOpenApiRouter(resources: readonly Resource[]): Router {
  const router = Router({ caseSensitive: true });
  const text = (value: string, type: string) => createContent(Buffer.from(value), `${type}; charset=utf-8`);

  const document = text(JSON.stringify(createOpenApiDocument(resources)), 'application/json');
  serve(router, '/openapi.json', sendContent(document));
  serve(router, '/docs', pageSecurity, sendContent(text(PAGE, 'text/html')));
  serve(router, `${ASSETS_PATH}/start.js`, sendContent(text(START_SCRIPT, 'text/javascript')));
  for (const file of BUNDLED) serve(router, `${ASSETS_PATH}/${file}`, sendContent(bundled(file)));
  return router;
}

function serve(router: Router, path: string, ...handlers: RequestHandler[]): void {
  const noteRoute: RequestHandler = (_request, response, next) => {
    contextOf(response).facts.route = path;
    next();
  };
  router.get(path, noteRoute, ...handlers);
  router.all(path, methodNotAllowed(path, ['GET']));
}
