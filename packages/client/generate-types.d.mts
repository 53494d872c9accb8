/** The types of an OpenAPI document, as the text of src/generated.ts. `path` is that of the document. */
export function generateTypes(path: string): Promise<string>;
