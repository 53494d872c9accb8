import { formatId } from './ids.ts';
import type { IdPrefix } from './resources/registry.ts';
import type { JsonObject, JsonValue } from './storable-json.ts';
import { formatTime } from './timestamp.ts';

/** The fields that name other resources: the prefixes of their ids, also in lists, and their names in the API where those differ. */
const REFERENCES = {
  environmentId: { prefix: 'env' },
  environments: { prefix: 'env' },
  tenantId: { prefix: 'ten' },
  tenants: { prefix: 'ten' },
  operatorId: { prefix: 'opr' },
  channelId: { prefix: 'chn' },
  channelIds: { prefix: 'chn', name: 'channels' },
  messageId: { prefix: 'msg' },
  position: { prefix: 'msg' },
  runId: { prefix: 'run', name: 'delivery_run_id' },
  issuerId: { prefix: 'ses', name: 'issued_by' },
  replacedById: { prefix: 'tok', name: 'replaced_by' },
  consumerId: { name: 'consumer' },
  planCode: { name: 'plan' },
} as const satisfies Readonly<Record<string, Reference>>;

interface Reference {
  readonly prefix?: IdPrefix;
  readonly name?: string;
}

type References = typeof REFERENCES;
const referenceOf = (field: string): Reference =>
  (REFERENCES as Readonly<Record<string, Reference>>)[field] ?? {};

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function presentValue(value: unknown, prefix: IdPrefix | undefined): JsonValue {
  if (value instanceof Date) return formatTime(value);
  if (prefix !== undefined && Array.isArray(value)) return value.map((id) => formatId(prefix, id));
  return prefix !== undefined && typeof value === 'string' ? formatId(prefix, value) : (value as JsonValue);
}

/**
 * These fields of a record in the API's form: names in snake_case or as {@link REFERENCES} says, times as RFC 3339, UUIDs as
 * public ids. Other values are shown unchanged, so they must be JSON.
 * @param prefix that of `id`
 */
export function presentFields<Row extends object>(
  row: Row,
  fields: readonly (keyof Row & string)[],
  prefix?: IdPrefix,
): JsonObject {
  return Object.fromEntries(
    fields.map((field) => [
      referenceOf(field).name ?? snakeCase(field),
      presentValue(row[field], field === 'id' ? prefix : referenceOf(field).prefix),
    ]),
  );
}

export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

const camelCase = (name: string) =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

type Named<Name> = {
  [Field in keyof References]: References[Field] extends { readonly name: Name } ? Field : never;
}[keyof References];

/** The name in records of a field of the API. */
export type RecordName<Name extends string> = [Named<Name>] extends [never] ? CamelCase<Name> : Named<Name>;

export const recordName = (name: string): string =>
  Object.keys(REFERENCES).find((field) => referenceOf(field).name === name) ?? camelCase(name);

/** The fields of a valid body by the names of a record; `defaults` has those that are left out or null. */
export function parseFields<Row extends object>(
  body: { readonly [Name in keyof Row & string as SnakeCase<Name>]?: Row[Name] | null | undefined },
  defaults: Row,
): Row {
  const given = body as Readonly<Record<string, unknown>>;
  const fields = Object.entries(defaults).map(([name, value]) => [name, given[snakeCase(name)] ?? value]);
  return Object.fromEntries(fields) as Row;
}

/** The same values with names in camelCase, such as the filters of a query. */
export const camelFields = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [camelCase(name), value])) as {
    readonly [Name in keyof Values & string as CamelCase<Name>]: Values[Name];
  };
