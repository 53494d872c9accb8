import { randomUUID } from 'node:crypto';
import type { SchemaObject } from 'ajv';
import type { OperationDescription } from '../../src/openapi/operation.ts';
import { ADMIN_TOKEN } from '../support/api.ts';
import type { Populated } from '../support/populated.ts';

/** Where a request of an operation names something by its id. */
export interface IdPlace {
  readonly doc: OperationDescription;
  readonly in: 'path' | 'query' | 'body';
  /** The parameter's name, or the JSON Pointer into the body. */
  readonly name: string;
  /** Such as `msg`. */
  readonly prefix: string;
}

const ID_PATTERN = /^\^([a-z]{3})_\[0-7\]/;
/** Fields with ids whose schemas do not say so, because any other text gets another response. */
const PREFIX_BY_FIELD: Readonly<Record<string, string>> = {
  channels: 'chn',
  parts: 'lay',
  resource_id: 'chn',
};

function prefixOf(name: string, schema: SchemaObject): string | undefined {
  return ID_PATTERN.exec(schema.pattern ?? '')?.[1] ?? PREFIX_BY_FIELD[name];
}

/** The pointers to the ids of a body with their prefixes. */
function idsIn(schema: SchemaObject, pointer = ''): [pointer: string, prefix: string][] {
  // One for each kind of channel, which name the same things.
  if (schema.oneOf) {
    const branches: readonly SchemaObject[] = schema.oneOf;
    return [...new Map(branches.flatMap((each) => idsIn(each, pointer)))];
  }
  return Object.entries<SchemaObject>(schema.properties ?? {}).flatMap(([name, field]) => {
    const prefix = prefixOf(name, field);
    const here = `${pointer}/${name}`;
    if (prefix === undefined) return idsIn(field, here);
    return [[field.type === 'array' ? `${here}/0` : here, prefix]];
  });
}

/** Every place for an id in the requests of an operation. */
export function idPlacesOf(doc: OperationDescription): IdPlace[] {
  const inParameters = doc.parameters.flatMap(({ name, in: place, schema }): IdPlace[] => {
    const prefix = prefixOf(name, schema as SchemaObject);
    return prefix === undefined || place === 'header' ? [] : [{ doc, in: place, name, prefix }];
  });
  const inBody = idsIn((doc.body?.schema ?? {}) as SchemaObject);
  return [...inParameters, ...inBody.map(([name, prefix]) => ({ doc, in: 'body' as const, name, prefix }))];
}

/** A copy of a body in which the pointer's place holds `value`; objects and lists on the way to it are made. */
function withValueAt(body: unknown, pointer: string, value: string): unknown {
  const [head, ...rest] = pointer.split('/').slice(1);
  if (head === undefined) return value;
  const next = rest.map((segment) => `/${segment}`).join('');
  if (/^\d+$/.test(head)) return [withValueAt(undefined, next, value)];
  const fields = (body ?? {}) as Record<string, unknown>;
  return { ...fields, [head]: withValueAt(fields[head], next, value) };
}

/**
 * A request in `world` that would succeed but for the id at `place`; plans and channels of examples are not looked for
 * there.
 */
export function requestWith(world: Populated, { doc, in: where, name }: IdPlace, id: string) {
  const inPath = (parameter: string) =>
    where === 'path' && parameter === name ? encodeURIComponent(id) : (world.parameters[parameter] ?? '');
  const path = doc.path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => inPath(parameter));
  const required = doc.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = new URLSearchParams();
  for (const parameter of required) query.set(parameter.name, String(parameter.example));
  if (where === 'query') query.set(name, id);
  const [example] = Object.values(doc.body?.examples ?? {});
  const body = where === 'body' ? withValueAt(example?.value, name, id) : example?.value;
  return {
    method: doc.method.toUpperCase(),
    path: query.size > 0 ? `${path}?${query}` : path,
    headers: {
      authorization: `Bearer ${doc.path.startsWith('/api/') ? world.token : ADMIN_TOKEN}`,
      'idempotency-key': randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
}
