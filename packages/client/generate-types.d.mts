/**
 * Generates from the OpenAPI document at `path`: `client` is the text of src/generated.ts, and `commands` that of
 * packages/cli/src/generated.ts.
 */
export function generateTypes(
  path: string,
): Promise<{ readonly client: string; readonly schemas: string; readonly commands: string }>;
