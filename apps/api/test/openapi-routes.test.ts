import { createMetrics } from '@postrider/telemetry';
import { describe, expect, it } from '@postrider/testing';
import { createApp } from '../src/app.ts';
import { createOpenApiDocument } from '../src/openapi/document.ts';
import { createOpenApiRouter } from '../src/openapi/router.ts';
import { RESOURCES } from '../src/resources.ts';
import { useApi } from './support/database.ts';

const { api } = useApi();

/** For who runs the service, who reads its description, recipients, receivers and who reports of mails; no part of the interface. */
const NOT_OF_THE_INTERFACE = [
  'delete /console/session',
  'delete /console/sessions/{session}',
  'delete /console/token',
  'delete /portal/session',
  'get /.well-known/webhooks/{channelId}/jwks.json',
  'get /console/oidc',
  'get /console/oidc/{provider}/callback',
  'get /console/oidc/{provider}/start',
  'get /console/session',
  'get /console/sessions',
  'get /console/whoami',
  'get /docs',
  'get /docs/assets/favicon-32x32.png',
  'get /docs/assets/start.js',
  'get /docs/assets/swagger-ui-bundle.js',
  'get /docs/assets/swagger-ui.css',
  'get /docs/guides/{page}.md',
  'get /docs/{page}.md',
  'get /healthz',
  'get /llms.txt',
  'get /openapi.json',
  'get /readyz',
  'post /mcp',
  'post /console/device',
  'post /console/device/decision',
  'post /console/device/request',
  'post /console/device/token',
  'post /console/oidc/{provider}/backchannel-logout',
  'post /console/session',
  'post /portal/session',
  'get /unsubscribe/{token}',
  'post /feedback/v1/{channelToken}/{source}',
  'post /unsubscribe/{token}',
];
/** Every path answers it; the document shows one. */
const PREFLIGHT = 'options';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** Every method and path that an application routes. `_all` is the answer to methods that a path does not have. */
function routesOf(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route, handle }) => {
    if (route === undefined) return routesOf(handle.stack ?? []);
    const methods = Object.keys(route.methods).filter((method) => method !== '_all' && method !== PREFLIGHT);
    return methods.map((method) => `${method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
}

describe('the routes of the application', () => {
  it('are the operations of the document, and internal ones', () => {
    const metrics = createMetrics('api', { processMetrics: false });
    const app = createApp({ ...api().deps, metrics, openApi: createOpenApiRouter(RESOURCES) });
    const documented = Object.entries(createOpenApiDocument(RESOURCES).paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => method !== PREFLIGHT)
        .map((method) => `${method} ${path}`),
    );

    expect(routesOf(app.router.stack as unknown as Layer[]).sort()).toEqual(
      [...documented, ...NOT_OF_THE_INTERFACE].sort(),
    );
  });
});
