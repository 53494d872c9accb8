import { escapePointerSegment } from '../json-pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';
import { heldBy, isInPlace } from './keywords.ts';
import { MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS } from './limits.ts';

/** A schema inside a schema, or the schema itself. */
export interface Subschema {
  /** Its JSON Pointer, which is what a `$ref` says behind its `#`. */
  readonly pointer: string;
  /** Empty for a boolean, which holds nothing. */
  readonly schema: JsonObject;
  /** The pointers of the subschemas that it holds against the same value: `allOf` and the like. */
  readonly inPlace: readonly string[];
}

export type Subschemas =
  | { readonly outcome: 'found'; readonly byPointer: ReadonlyMap<string, Subschema> }
  | { readonly outcome: 'too_many' };

/** Whether JSON has more than `levels` levels of objects and arrays. */
function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** Whether the schema is nested deeper than {@link MAX_SCHEMA_DEPTH} levels. */
export const isTooDeep = (schema: JsonObject): boolean => isDeeper(schema, MAX_SCHEMA_DEPTH);

/** Finds every schema in a schema that is not too deep, or says that there are more than {@link MAX_SUBSCHEMAS}. */
export function findSubschemas(root: JsonObject): Subschemas {
  const byPointer = new Map<string, Subschema>();
  const open: { pointer: string; schema: JsonObject }[] = [{ pointer: '', schema: root }];
  // The list grows while it is gone through.
  for (const { pointer, schema } of open) {
    if (open.length > MAX_SUBSCHEMAS) return { outcome: 'too_many' };
    const inPlace: string[] = [];
    for (const { keyword, path, value } of heldBy(schema)) {
      const held = [pointer, ...path.map(escapePointerSegment)].join('/');
      if (isInPlace(keyword)) inPlace.push(held);
      open.push({ pointer: held, schema: isJsonObject(value) ? value : {} });
    }
    byPointer.set(pointer, { pointer, schema, inPlace });
  }
  return { outcome: 'found', byPointer };
}
