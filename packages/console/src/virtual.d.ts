/** The body of "create a channel" from the OpenAPI document; vite.config.ts makes it. */
declare module 'virtual:channel-schemas' {
  import type { JsonSchema } from './ui/schema-form.tsx';

  const schema: { readonly oneOf: readonly JsonSchema[] };
  export default schema;
}

/** What to do about each error code, from the OpenAPI document; vite.config.ts makes it. */
declare module 'virtual:error-advice' {
  const advice: Readonly<Record<string, string>>;
  export default advice;
}
