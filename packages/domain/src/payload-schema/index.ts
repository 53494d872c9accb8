/**
 * Checks and compiles payload schemas. A separate entry point, because JSON Schema and its pattern engine take a third
 * of the domain's loading time, and few processes need them.
 */
export { checkPayloadSchema } from './check.ts';
export { compilePayloadSchema, type PayloadCheck, type ValidatePayload } from './compile.ts';
