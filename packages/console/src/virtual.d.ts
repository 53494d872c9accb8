/** What to do about each error code, from the OpenAPI document; vite.config.ts makes it. */
declare module 'virtual:error-advice' {
  const advice: Readonly<Record<string, string>>;
  export default advice;
}

/** Scopes, and which operations need them, from the OpenAPI document; vite.config.ts makes it. */
declare module 'virtual:access' {
  import type { OperationId } from '@postrider/client';

  type Texts = readonly (readonly [scope: string, text: string])[];
  const access: {
    /** By the ids of the operations of the management API. */
    readonly operations: Partial<Record<OperationId, readonly [scope: string, isWithoutBounds: boolean]>>;
    /** Every scope, with what it allows. */
    readonly scopes: Texts;
    /** What tokens of environments can have, and have without a choice. */
    readonly token: { readonly texts: Texts; readonly defaults: readonly string[] };
  };
  export default access;
}

/** A file as text. */
declare module '*?raw' {
  const text: string;
  export default text;
}
