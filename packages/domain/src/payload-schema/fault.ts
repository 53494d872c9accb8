/** What is wrong with a schema; `path` is a JSON Pointer into it. */
export type PayloadSchemaFault = { path: string; message: string };
