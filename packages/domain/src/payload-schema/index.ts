/**
 * The schemas of payloads: check one that is to be stored, compile a stored one. They have an entry of their own, because
 * JSON Schema and the engine of its patterns are a third of what loading the domain takes, and few processes need them.
 */
export { checkPayloadSchema } from './check.ts';
export { compilePayloadSchema, type PayloadVerdict, type ValidatePayload } from './compile.ts';
