/** What is wrong with a schema; `path` is a JSON Pointer into it. */
export type PayloadSchemaIssue = { path: string; message: string };
