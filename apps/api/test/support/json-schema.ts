import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** Compiles a JSON Schema, for tests of schemas. Formats are not checked. */
export const compileSchema = (schema: object): ValidateFunction =>
  new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
