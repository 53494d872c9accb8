import { EXAMPLE_IDEMPOTENCY_KEY } from './examples.ts';

/** Where the page's own files are served. */
export const ASSETS_PATH = '/docs/assets';

/** The readable page: Swagger UI from its npm package, without a line of inline script. */
export const PAGE = `<!doctype html>
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
 * Starts the page. `validatorUrl` off, or the page would send the document to a public validator. A request
 * that still has the example as its key gets a fresh one, or the second try of a changed event would be a
 * conflict; `crypto.randomUUID` is missing where the page is not served over TLS or from this machine.
 */
export const START_SCRIPT = `'use strict';
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
