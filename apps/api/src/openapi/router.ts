import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { methodNotAllowed } from '../http/not-found.ts';
import { contextOf } from '../http/request-context.ts';
import { createOpenApiDocument } from './document.ts';
import { ASSETS_PATH, PAGE, START_SCRIPT } from './page.ts';

/** Files of swagger-ui-dist that the page loads; nothing else of the package is served. */
const BUNDLED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
const BUNDLE_MANIFEST = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');

/**
 * The names of the files stay the same from one release to the next, so a browser asks whether its copy is
 * current.
 */
const REVALIDATE = 'no-cache';

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

/**
 * Serves the OpenAPI document at GET /openapi.json and a page to read and try it at GET /docs (contract
 * section 9). Mount it after `openRequest` and before `routeNotFound`. Neither needs a token; nothing is
 * loaded from elsewhere.
 */
export function createOpenApiRouter(): Router {
  const document = JSON.stringify(createOpenApiDocument());
  const etag = `"${readVersion(BUNDLE_MANIFEST)}"`;
  const router = Router({ caseSensitive: true });

  serve(router, '/openapi.json', (_request, response) => {
    sendText(response, 'application/json', document);
  });
  serve(router, '/docs', pageSecurity, (_request, response) => {
    sendText(response, 'text/html', PAGE);
  });
  serve(router, `${ASSETS_PATH}/start.js`, (_request, response) => {
    sendText(response, 'text/javascript', START_SCRIPT);
  });
  for (const file of BUNDLED) {
    serve(router, `${ASSETS_PATH}/${file}`, (_request, response, next) => {
      // npm dates every file of a package 1985: only the release tells one from the next.
      response.setHeader('ETag', etag).setHeader('Cache-Control', REVALIDATE);
      const options = { root: dirname(BUNDLE_MANIFEST), cacheControl: false, lastModified: false };
      response.sendFile(file, options, (error) => {
        if (error !== undefined && !response.headersSent) next(error);
      });
    });
  }
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

function readVersion(manifest: string): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function sendText(response: Response, type: string, text: string): void {
  response.setHeader('Cache-Control', REVALIDATE);
  response.type(`${type}; charset=utf-8`).send(text);
}
