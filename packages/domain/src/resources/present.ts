import { formatId } from '../ids.ts';
import type { JsonObject, JsonValue } from '../storable-json.ts';
import { formatTime } from '../timestamp.ts';
import type { IdPrefix } from './registry.ts';

/** The prefixes of ids of other resources, by the names of their fields. */
const REFERENCES: Readonly<Record<string, IdPrefix>> = {
  environmentId: 'env',
  tenantId: 'ten',
  operatorId: 'opr',
  channelId: 'chn',
};

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function presentValue(value: unknown, prefix: IdPrefix | undefined): JsonValue {
  if (value instanceof Date) return formatTime(value);
  return prefix !== undefined && typeof value === 'string' ? formatId(prefix, value) : (value as JsonValue);
}

/**
 * These fields of a record in the API's form: names in snake_case, times as RFC 3339, UUIDs as public ids. Other values are
 * shown unchanged, so they must be JSON.
 * @param prefix that of `id`
 */
export function presentFields<Row extends object>(
  row: Row,
  fields: readonly (keyof Row & string)[],
  prefix?: IdPrefix,
): JsonObject {
  return Object.fromEntries(
    fields.map((field) => [
      snakeCase(field),
      presentValue(row[field], field === 'id' ? prefix : REFERENCES[field]),
    ]),
  );
}
