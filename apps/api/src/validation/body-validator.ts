import { isBareEmailAddress, type JsonValue, parseTimestamp } from '@postrider/domain';
import type { JSONSchemaType, SchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Detail } from '../http/reply.ts';
import { MAX_DETAILS, toDetails } from './details.ts';

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

/** What a schema cannot say of a body. */
export interface Rule<Body> {
  /** JSON Pointers to what it reads: it is asked only where the schema finds no fault there. */
  readonly reads: readonly string[];
  readonly faultsOf: (body: Body) => readonly Detail[];
}

/** Whether one is the other, or a part of it. */
const overlap = (one: string, other: string) =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

/**
 * Adds rules that a schema cannot say. A body that does not fulfil the schema is asked for what of it does,
 * so that an answer names every fault at once (docs/specification.md, "Error details").
 */
export function withRules<Body>(
  validate: ValidateBody<Body>,
  rules: readonly Rule<Body>[],
): ValidateBody<Body> {
  return (value) => {
    const validated = validate(value);
    const known = validated.faults;
    // Beyond the bound on their number, not all of the schema's faults are known.
    if (known.length >= MAX_DETAILS) return validated;
    const isSound = (pointer: string) => !known.some(({ path }) => overlap(path, pointer));
    const faults = rules
      .filter(({ reads }) => reads.every(isSound))
      .flatMap(({ faultsOf }) => faultsOf(value as Body));
    return faults.length > 0 ? { faults: [...known, ...faults] } : validated;
  };
}
