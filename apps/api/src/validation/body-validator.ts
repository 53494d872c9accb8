import { isBareEmailAddress, type JsonValue, parseTimestamp } from '@postrider/domain';
import type { JSONSchemaType, SchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Detail } from '../http/reply.ts';
import { toDetails } from './details.ts';

export type Validated<Body> = { readonly body: Body; readonly faults: readonly [] };
export type Faulty = { readonly faults: readonly Detail[] };

/** Checks a body against a schema and names every fault. */
export type ValidateBody<Body> = (body: JsonValue) => Validated<Body> | Faulty;

/**
 * Compiles the schema of a request body. The schema is plain JSON Schema 2020-12, so that the OpenAPI
 * document is made of the same object; the formats mean what the domain says: `email` one bare address,
 * `date-time` RFC 3339 with offset.
 */
export function compileBody<Body>(schema: SchemaObject | JSONSchemaType<Body>): ValidateBody<Body> {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, discriminator: true });
  ajv.addFormat('email', isBareEmailAddress);
  ajv.addFormat('date-time', (text: string) => parseTimestamp(text) !== null);
  const validate = ajv.compile<Body>(schema);
  return (body) => {
    if (validate(body)) return { body, faults: [] };
    return { faults: toDetails(validate.errors ?? []) };
  };
}

/** Adds rules that a schema cannot say. They see only bodies that fulfil the schema. */
export function withRules<Body>(
  validate: ValidateBody<Body>,
  faultsOf: (body: Body) => readonly Detail[],
): ValidateBody<Body> {
  return (value) => {
    const validated = validate(value);
    if (!('body' in validated)) return validated;
    const faults = faultsOf(validated.body);
    return faults.length > 0 ? { faults } : validated;
  };
}
