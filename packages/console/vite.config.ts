import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { thirdParty } from './third-party.ts';

const OPENAPI = new URL('../client/openapi.json', import.meta.url);

/** Modules that are generated from the OpenAPI document, by their names. */
const VIRTUAL: Record<string, (document: Document) => unknown> = {
  'virtual:error-advice': errorAdvice,
  'virtual:access': access,
};

type Schema = { readonly [name: string]: unknown };
type Document = {
  readonly info: { readonly description: string };
  readonly components: { readonly schemas: Record<string, Schema> };
  readonly paths: Record<
    string,
    Record<
      string,
      {
        requestBody: { content: Record<string, { schema: Schema }> };
        operationId: string;
        security?: readonly Record<string, readonly string[]>[];
        'x-without-bounds'?: true;
      }
    >
  >;
};

/** Replaces each reference by what it refers to: the console then needs no document at run time. */
function resolveReferences(value: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((each) => resolveReferences(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if ($ref) return resolveReferences(schemas[$ref.split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'examples')
      .map(([name, each]) => [name === 'x-default' ? 'default' : name, resolveReferences(each, schemas)]),
  );
}

/** The scopes in the description of a body's field, with what they allow, and the default ones. */
function scopesOf({ paths, components }: Document, path: string) {
  const body = paths[path]?.post?.requestBody;
  const schema = resolveReferences(body?.content['application/json']?.schema, components.schemas);
  const { scopes } = (schema as { properties: Record<string, { description: string; default: string[] }> })
    .properties;
  const texts = [...(scopes?.description.matchAll(/^- `(\S+)`: (.*)$/gm) ?? [])];
  return { texts: texts.map(([, scope, text]) => [scope, text]), defaults: scopes?.default };
}

/**
 * What operations need, by their ids: a scope, and `true` if they are refused to callers with bounds. Then all scopes, and those
 * of tokens.
 */
function access(document: Document): unknown {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/admin/'))
    .flatMap(([, methods]) => Object.values(methods))
    .filter(({ operationId }) => operationId)
    .map(({ operationId, security = [], 'x-without-bounds': isWithoutBounds = false }) => [
      operationId,
      [Object.values(security[0] ?? {})[0]?.[0], isWithoutBounds],
    ]);
  return {
    operations: Object.fromEntries(operations),
    scopes: scopesOf(document, '/admin/v1/roles').texts,
    token: scopesOf(document, '/admin/v1/environments/{environmentId}/tokens'),
  };
}

/** What to do about each error code: the last column of the table of codes. */
function errorAdvice({ info }: Document): Record<string, string> {
  const rows = info.description.matchAll(/^\| \d+ \| `(\w+)` \| .*? \| (.*?) \|$/gm);
  return Object.fromEntries([...rows].map(([, code, advice]) => [code, advice?.replaceAll('`', '')]));
}

function fromOpenApi(): Plugin {
  return {
    name: 'postrider:from-openapi',
    resolveId: (id) => (id in VIRTUAL ? `\0${id}` : null),
    load(id) {
      const make = id.startsWith('\0') ? VIRTUAL[id.slice(1)] : undefined;
      if (!make) return null;
      return `export default ${JSON.stringify(make(JSON.parse(readFileSync(OPENAPI, 'utf8')) as Document))};`;
    },
  };
}

export default defineConfig({
  // Relative: the site works below any path.
  base: './',
  plugins: [react(), fromOpenApi(), thirdParty()],
  resolve: { conditions: ['@postrider/source', 'module', 'browser', 'import', 'default'] },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // scripts/build-sites.mjs reads it and takes it out of the site.
    manifest: 'manifest.json',
    // The content security policy allows no data: URL for styles or scripts, and one file less gains nothing.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
  },
});
