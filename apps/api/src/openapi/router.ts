import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { contextOf } from '../http/request.ts';
import { methodNotAllowed } from '../http/routes.ts';
import {
  type Content,
  createContent,
  createSendContent,
  type StaticOptions,
  typeOf,
} from '../http/static-content.ts';
import { createOpenApiDocument } from './document.ts';
import { EXAMPLE_IDEMPOTENCY_KEY } from './examples.ts';
import type { Resource } from './operation.ts';

/** The root of the checkout, the image or the package: bundles are as deep in it as this file. */
const ROOT = new URL('../../../../', import.meta.url);
const LINK = /\]\((docs\/[^)]+\.md)\)/g;

/**
 * The documentation of this version for agents (https://llmstxt.org): the list at /llms.txt, and the pages that it links to, by their
 * paths. Reads the files once.
 */
function readPages(): ReadonlyMap<string, Content> {
  const read = (path: string, type: string) =>
    [`/${path}`, createContent(readFileSync(new URL(path, ROOT)), `${type}; charset=utf-8`)] as const;
  const [, list] = read('docs/llms.txt', 'text/plain');
  const pages = [...list.bytes.toString().matchAll(LINK)].map(([, path = '']) => read(path, 'text/markdown'));
  return new Map([['/llms.txt', list], ...pages]);
}

/** The files of swagger-ui-dist that the page loads. Other files are not served. */
const BUNDLED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
const BUNDLE_MANIFEST = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');

/**
 * The policy of /docs: scripts, styles and requests of this origin only. Swagger UI uses icons from data URLs and style
 * attributes, so styles need 'unsafe-inline'; scripts do not.
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
  return createContent(readFileSync(join(dirname(BUNDLE_MANIFEST), file)), typeOf(file) ?? '');
}

/**
 * Serves the OpenAPI document at GET /openapi.json, a page to read and try it at GET /docs, and the documentation for agents at
 * GET /llms.txt and /docs/….md, without a token. The page loads nothing from other origins. Mount it after `prepareRequests` and
 * before `routeNotFound`. Files are read once, and each response sends the same bytes.
 */
export function createOpenApiRouter(resources: readonly Resource[], options: StaticOptions = {}): Router {
  const sendContent = createSendContent(options);
  const router = Router({ caseSensitive: true });
  const text = (value: string, type: string) => createContent(Buffer.from(value), `${type}; charset=utf-8`);

  const document = text(JSON.stringify(createOpenApiDocument(resources)), 'application/json');
  serve(router, '/openapi.json', sendContent(document));
  serve(router, '/docs', pageSecurity, sendContent(text(PAGE, 'text/html')));
  serve(router, `${ASSETS_PATH}/start.js`, sendContent(text(START_SCRIPT, 'text/javascript')));
  for (const file of BUNDLED) serve(router, `${ASSETS_PATH}/${file}`, sendContent(bundled(file)));

  const pages = new Map([...readPages()].map(([path, content]) => [path, sendContent(content)]));
  const page: RequestHandler = (request, response, next) =>
    pages.get(request.path)?.(request, response, next) ?? next('router');
  for (const path of ['/llms.txt', '/docs/:page.md', '/docs/guides/:page.md']) serve(router, path, page);
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

/** The path of the page's own files. */
const ASSETS_PATH = '/docs/assets';

/** The page: Swagger UI from its npm package, without inline scripts. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Postrider API</title>
  <link rel="icon" href="${ASSETS_PATH}/favicon-32x32.png">
  <link rel="stylesheet" href="${ASSETS_PATH}/swagger-ui.css">
</head>
<body>
  <noscript>
    This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.
  </noscript>
  <div id="page"></div>
  <script src="${ASSETS_PATH}/swagger-ui-bundle.js"></script>
  <script src="${ASSETS_PATH}/start.js"></script>
</body>
</html>
`;

/**
 * Starts the page. `validatorUrl` is off because the page would send the document to a public validator. A request with
 * the example key gets a fresh one, because a second, changed event with the same key would be a conflict.
 * `crypto.randomUUID` only exists with TLS or on localhost.
 */
const START_SCRIPT = `'use strict';
const EXAMPLE_KEY = '${EXAMPLE_IDEMPOTENCY_KEY}';

function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

SwaggerUIBundle({
  dom_id: '#page',
  url: '/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  requestInterceptor: (request) => {
    if (request.headers['Idempotency-Key'] === EXAMPLE_KEY) request.headers['Idempotency-Key'] = freshKey();
    return request;
  },
});
`;
