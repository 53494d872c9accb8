import { escapePointerSegment, isJsonObject, type JsonObject } from '../storable-json.ts';
import { heldBy, isInPlace } from './keywords.ts';
import { MAX_CHAIN, MAX_SUBSCHEMAS, MAX_WEIGHT, type PayloadSchemaIssue } from './limits.ts';
import { weigh } from './weigh.ts';

/** A schema inside a schema, or the schema itself. */
export interface Subschema {
  /** Its JSON Pointer, as written after the `#` of a `$ref`. */
  readonly pointer: string;
  /** Empty for a boolean schema. */
  readonly schema: JsonObject;
  /** The pointers of the subschemas that apply to the same value: `allOf` and the like. */
  readonly inPlace: readonly string[];
}

type ByPointer = ReadonlyMap<string, Subschema>;

/** Every subschema of a schema that is not too deep; null if there are more than {@link MAX_SUBSCHEMAS}. */
export function findSubschemas(root: JsonObject): ByPointer | null {
  const byPointer = new Map<string, Subschema>();
  const open: { pointer: string; schema: JsonObject }[] = [{ pointer: '', schema: root }];
  // The list grows during the iteration.
  for (const { pointer, schema } of open) {
    if (open.length > MAX_SUBSCHEMAS) return null;
    const inPlace: string[] = [];
    for (const { keyword, path, value } of heldBy(schema)) {
      const held = [pointer, ...path.map(escapePointerSegment)].join('/');
      if (isInPlace(keyword)) inPlace.push(held);
      open.push({ pointer: held, schema: isJsonObject(value) ? value : {} });
    }
    byPointer.set(pointer, { pointer, schema, inPlace });
  }
  return byPointer;
}

/**
 * The subschemas that apply to a value together with one subschema: itself, and those it contains or references for the
 * same value.
 */
interface Reach {
  /** The longest chain of them. */
  readonly chain: number;
  /** The sum of their fixed weights, counting repetitions; at most {@link MAX_WEIGHT} + 1. */
  readonly weight: number;
}

export interface References {
  readonly issues: readonly PayloadSchemaIssue[];
  /** The weight of each subschema's {@link Reach}, by pointer; complete if there are no issues. */
  readonly weights: ReadonlyMap<string, number>;
}

function anchorsOf(byPointer: ByPointer): Map<string, string> {
  const anchors = new Map<string, string>();
  for (const { pointer, schema } of byPointer.values()) {
    if (typeof schema.$anchor === 'string') anchors.set(schema.$anchor, pointer);
  }
  return anchors;
}

function decode(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return null;
  }
}

/** Unsupported keywords of 2020-12 that change what references mean, and their replacements. */
const REFUSED = {
  $dynamicRef: 'is not supported: use $ref',
  $dynamicAnchor: 'is not supported: use $anchor',
} as const;

function issuesOfKeywords({ pointer, schema }: Subschema): PayloadSchemaIssue[] {
  const issues: PayloadSchemaIssue[] = Object.entries(REFUSED)
    .filter(([keyword]) => Object.hasOwn(schema, keyword))
    .map(([keyword, message]) => ({ path: `${pointer}/${keyword}`, message }));
  if (pointer !== '' && Object.hasOwn(schema, '$id')) {
    issues.push({ path: `${pointer}/$id`, message: 'is only allowed at the root' });
  }
  return issues;
}

/**
 * Follows the references of a schema. Each must lead to a place in the same schema, and the subschemas that apply to
 * one value through them must be finite, within {@link MAX_CHAIN} and {@link MAX_WEIGHT}. A schema may be recursive
 * where the data is: through `properties`, `items` and the like.
 */
export function followReferences(byPointer: ByPointer): References {
  const anchors = anchorsOf(byPointer);
  const issues: PayloadSchemaIssue[] = [];
  const reached = new Map<string, Reach | 'open'>();

  function targetOf({ pointer, schema: { $ref } }: Subschema): Subschema | undefined {
    if (typeof $ref !== 'string') return undefined;
    const fragment = $ref.startsWith('#') ? decode($ref.slice(1)) : null;
    const target = fragment === null ? undefined : byPointer.get(anchors.get(fragment) ?? fragment);
    if (!target) {
      const message = 'must point into this schema, such as to #/$defs/address';
      issues.push({ path: `${pointer}/$ref`, message });
    }
    return target;
  }

  function reach(subschema: Subschema): Reach {
    const known = reached.get(subschema.pointer);
    if (known === 'open') {
      issues.push({ path: subschema.pointer, message: 'refers to itself, for the same value' });
      return { chain: 0, weight: 0 };
    }
    if (known) return known;
    reached.set(subschema.pointer, 'open');
    const target = targetOf(subschema);
    const next = subschema.inPlace.map((pointer) => byPointer.get(pointer) as Subschema);
    const beyond = [...next, ...(target ? [target] : [])].map(reach);
    const result = {
      chain: 1 + Math.max(0, ...beyond.map(({ chain }) => chain)),
      weight: Math.min(
        MAX_WEIGHT + 1,
        beyond.reduce((sum, { weight }) => sum + weight, weigh(subschema.schema).fixed),
      ),
    };
    reached.set(subschema.pointer, result);
    return result;
  }

  const weights = new Map<string, number>();
  for (const subschema of byPointer.values()) {
    issues.push(...issuesOfKeywords(subschema));
    weights.set(subschema.pointer, reach(subschema).weight);
  }
  return { issues: [...issues, ...excesses(reached)], weights };
}

/** Reports only the first subschema beyond the limits: those that contain it exceed them, too. */
function excesses(reached: ReadonlyMap<string, Reach | 'open'>): PayloadSchemaIssue[] {
  for (const [path, { chain, weight }] of reached as ReadonlyMap<string, Reach>) {
    if (chain > MAX_CHAIN) {
      return [{ path, message: `applies more than ${MAX_CHAIN} schemas in a row to one value` }];
    }
    if (weight > MAX_WEIGHT) {
      return [{ path, message: `is too complex: its weight for one value is more than ${MAX_WEIGHT}` }];
    }
  }
  return [];
}
