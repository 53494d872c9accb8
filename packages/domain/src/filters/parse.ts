import type { DetailCode } from '../error-codes.ts';
import { escapePointerSegment, isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';

/** Limits of a filter (docs/specification.md, "Filters"). */
export const FILTER_LIMITS = {
  /** Conditions: fields, entries of lists, and operators. */
  conditions: 256,
  /** Nesting depth of objects and lists. */
  depth: 16,
  /** Characters of all texts and field names. */
  characters: 8_192,
  /** Characters of a substring to search for. V8 searches for texts up to this length in linear time. */
  substring: 250,
} as const;

/** The fields of an event that a filter can use. */
export const FILTER_FIELDS = ['event_key', 'recipient', 'payload', 'consumer'] as const;

export type Scalar = string | number | boolean | null;

/** Operators that compare the whole value with an operand. */
export type Comparison =
  | { readonly op: '$eq' | '$neq'; readonly operand: JsonValue }
  | { readonly op: '$gt' | '$gte' | '$lt' | '$lte'; readonly operand: string | number }
  | { readonly op: '$in' | '$nin'; readonly operand: Scalar | readonly Scalar[] }
  | { readonly op: '$startsWith' | '$endsWith'; readonly operand: readonly string[] }
  | { readonly op: '$exist'; readonly operand: boolean };

/** A condition on one value; `pointer` is the JSON Pointer to it in the filter. */
export type Condition = { readonly pointer: string } & (
  | Comparison
  /** The value, or one of its elements, equals this scalar. */
  | { readonly op: 'is'; readonly scalar: Scalar }
  /** The value is a list, and each condition matches one of its elements. */
  | { readonly op: 'contains'; readonly parts: readonly Condition[] }
  /** The value is an object that matches all field conditions, or a list with such an element. */
  | {
      readonly op: 'fields';
      readonly fields: readonly (readonly [string, Condition])[];
      readonly isList: boolean;
    }
  | { readonly op: 'all' | 'any'; readonly parts: readonly Condition[] }
  | { readonly op: 'not'; readonly part: Condition }
);

export interface FilterIssue {
  /** A JSON Pointer into the filter. */
  readonly path: string;
  readonly code: DetailCode;
  readonly message: string;
}

/** Thrown to stop parsing a filter that exceeds the limits. */
class FilterTooLarge extends Error {}

/**
 * Where a condition is, which determines its allowed fields: the whole event, a value that must be an object, or a
 * value of any type.
 */
type Level = 'event' | 'object' | 'value';
/** Where in a filter a condition is. */
type Position = { readonly level: Level; readonly depth: number };

/** Operators on the conditions of a value, and those that compare a value. */
const LOGICAL = ['$or', '$and', '$not'];
const OPERATORS = new Map(
  [
    ...['$eq', '$neq', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$startsWith', '$endsWith', '$exist'],
    ...LOGICAL,
  ].map((operator) => [operator.slice(1).toLowerCase(), operator]),
);

const hasOperator = (value: JsonValue) =>
  isJsonObject(value) && Object.keys(value).some((name) => name.startsWith('$'));

/**
 * The operator that a field name without `$` probably means, or null. Recipient, payload and the event have fields, so
 * there only the logical operators are meant, which have conditions.
 */
function intendedOperator(name: string, value: JsonValue, level: Level): string | null {
  const operator = OPERATORS.get(name.toLowerCase()) ?? null;
  if (operator === null || hasOperator(value)) return null;
  return level === 'value' || (LOGICAL.includes(operator) && !isScalar(value)) ? operator : null;
}

const isScalar = (value: JsonValue): value is Scalar => value === null || typeof value !== 'object';

/** Parses the conditions of a filter and collects all issues. */
class Parser {
  readonly issues: FilterIssue[] = [];
  readonly #isStored: boolean;
  #conditions = 0;
  #characters = 0;

  constructor(isStored: boolean) {
    this.#isStored = isStored;
  }

  condition(value: JsonValue, pointer: string, { level, depth }: Position): Condition {
    this.#count(pointer);
    if (depth > FILTER_LIMITS.depth)
      this.#tooLarge(pointer, `must not be nested deeper than ${FILTER_LIMITS.depth} levels`);
    if (isJsonObject(value)) return this.#object(value, pointer, { level, depth });
    if (level !== 'value') this.#issue(pointer, 'invalid_type', 'must be an object');
    if (isScalar(value)) return { pointer, op: 'is', scalar: this.#measured(value, pointer) };
    return { pointer, op: 'contains', parts: this.#list(value, pointer, { level: 'value', depth }) };
  }

  #object(value: JsonObject, pointer: string, { level, depth }: Position): Condition {
    const fields: (readonly [string, Condition])[] = [];
    const parts: Condition[] = [];
    if (!this.#isStored) this.#bareOperators(value, pointer, level);
    for (const [name, entry] of Object.entries(value)) {
      const at = `${pointer}/${escapePointerSegment(name)}`;
      if (name.startsWith('$')) parts.push(this.#operator(name, entry, at, { level, depth }));
      else fields.push([name, this.#field(name, entry, at, { level, depth })]);
    }
    if (fields.length > 0 || parts.length === 0) {
      parts.push({ pointer, op: 'fields', fields, isList: level === 'value' });
    }
    const [only] = parts;
    return only && parts.length === 1 ? only : { pointer, op: 'all', parts };
  }

  /** Refuses an object whose fields all have the names of operators: `{"gt": 1}` instead of `{"$gt": 1}`. */
  #bareOperators(value: JsonObject, pointer: string, level: Level): void {
    const fields = Object.entries(value).filter(([name]) => !name.startsWith('$'));
    if (!fields.every(([name]) => OPERATORS.has(name.toLowerCase()))) return;
    for (const [name, entry] of fields) {
      const operator = intendedOperator(name, entry, level);
      if (operator === null) continue;
      this.#issue(
        `${pointer}/${escapePointerSegment(name)}`,
        'invalid_value',
        `is the name of a field: the operator is ${operator}. To compare a field of this name, use an operator in it, such as $eq`,
      );
    }
  }

  #field(name: string, value: JsonValue, at: string, { level, depth }: Position): Condition {
    this.#measured(name, at);
    if (level === 'event' && !(FILTER_FIELDS as readonly string[]).includes(name)) {
      this.#issue(
        at,
        'unknown_field',
        `is not a field that filters can use. The fields are ${FILTER_FIELDS.join(', ')}`,
      );
    }
    // Recipient and payload are objects. Values inside of them, and the event key, can have any type.
    const isObject = level === 'event' && name !== 'event_key' && isJsonObject(value);
    return this.condition(value, at, { level: isObject ? 'object' : 'value', depth: depth + 1 });
  }

  #operator(name: string, value: JsonValue, at: string, { level, depth }: Position): Condition {
    const below = { level, depth: depth + 1 };
    switch (name) {
      case '$or':
        return { pointer: at, op: 'any', parts: this.#list(value, at, below) };
      case '$and':
        return { pointer: at, op: 'all', parts: this.#list(value, at, below) };
      case '$not':
        return { pointer: at, op: 'not', part: this.condition(value, at, below) };
    }
    this.#count(at);
    if (level === 'event')
      this.#issue(at, 'unknown_field', 'is not allowed here: compare a field of the event');
    return { pointer: at, ...this.#comparison(name, value, at) };
  }

  #comparison(name: string, value: JsonValue, at: string): Comparison {
    switch (name) {
      case '$eq':
      case '$neq':
        return { op: name, operand: this.#whole(value, at) };
      case '$gt':
      case '$gte':
      case '$lt':
      case '$lte':
        if (typeof value === 'string' || typeof value === 'number') {
          return { op: name, operand: this.#measured(value, at) };
        }
        this.#issue(at, 'invalid_type', 'must be a number or a text');
        break;
      case '$in':
      case '$nin':
        return { op: name, operand: this.#members(value, at) };
      case '$startsWith':
      case '$endsWith':
        return { op: name, operand: this.#texts(value, at) };
      case '$exist':
        if (typeof value === 'boolean') return { op: '$exist', operand: value };
        this.#issue(at, 'invalid_type', 'must be true or false');
        break;
      default:
        this.#issue(
          at,
          'unknown_field',
          `is not an operator. The operators are ${[...OPERATORS.values()].join(', ')}`,
        );
    }
    return { op: '$exist', operand: true };
  }

  #list(value: JsonValue, at: string, below: Position): Condition[] {
    if (!Array.isArray(value)) {
      this.#issue(at, 'invalid_type', 'must be a list of conditions');
      return [];
    }
    if (value.length === 0) this.#issue(at, 'too_few', 'must have a condition');
    return value.map((entry, index) =>
      this.condition(entry, `${at}/${index}`, { ...below, depth: below.depth + 1 }),
    );
  }

  #members(value: JsonValue, at: string): Scalar | readonly Scalar[] {
    if (isScalar(value)) {
      if (typeof value === 'string' && value.length > FILTER_LIMITS.substring) {
        this.#issue(at, 'too_long', `must not be longer than ${FILTER_LIMITS.substring} characters`);
      }
      return this.#measured(value, at);
    }
    if (Array.isArray(value) && value.every(isScalar)) {
      for (const member of value) this.#member(member, at);
      return value;
    }
    this.#issue(
      at,
      'invalid_type',
      'must be a list of texts, numbers, true, false and null, or one of these',
    );
    return [];
  }

  #texts(value: JsonValue, at: string): readonly string[] {
    const texts = [value].flat();
    if (texts.length > 0 && texts.every((text) => typeof text === 'string')) {
      for (const text of texts) this.#member(text, at);
      return texts;
    }
    this.#issue(at, 'invalid_type', 'must be a text or a list of texts');
    return [];
  }

  /** Counts every value of an operand that is compared as a whole. */
  #whole(value: JsonValue, at: string, depth = 0): JsonValue {
    if (depth > FILTER_LIMITS.depth)
      this.#tooLarge(at, `must not be nested deeper than ${FILTER_LIMITS.depth} levels`);
    if (isScalar(value)) return this.#measured(value, at);
    for (const [name, entry] of Object.entries(value)) {
      this.#member(name, at);
      this.#whole(entry as JsonValue, at, depth + 1);
    }
    return value;
  }

  #member(value: Scalar, at: string): void {
    this.#count(at);
    this.#measured(value, at);
  }

  #count(at: string): void {
    this.#conditions += 1;
    if (this.#conditions <= FILTER_LIMITS.conditions) return;
    this.#tooLarge(
      at,
      `exceeds the limit: a filter has at most ${FILTER_LIMITS.conditions} conditions and values`,
      'too_many',
    );
  }

  #measured<Value extends Scalar>(value: Value, at: string): Value {
    if (typeof value === 'string') this.#characters += value.length;
    if (this.#characters > FILTER_LIMITS.characters) {
      this.#tooLarge(
        at,
        `is too long: a filter has at most ${FILTER_LIMITS.characters} characters`,
        'too_long',
      );
    }
    return value;
  }

  #issue(path: string, code: DetailCode, message: string): void {
    this.issues.push({ path, code, message });
  }

  #tooLarge(path: string, message: string, code: DetailCode = 'too_large'): never {
    this.#issue(path, code, message);
    throw new FilterTooLarge();
  }
}

type ParsedFilter =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly issues: readonly FilterIssue[] };

/**
 * Parses a filter. All issues are reported at once, unless the filter exceeds {@link FILTER_LIMITS}. In a stored filter,
 * names of operators without `$` are fields, as when it was stored.
 */
export function parseFilter(filter: JsonValue, { isStored = false } = {}): ParsedFilter {
  const parser = new Parser(isStored);
  try {
    const condition = parser.condition(filter, '', { level: 'event', depth: 0 });
    return parser.issues.length > 0 ? { ok: false, issues: parser.issues } : { ok: true, condition };
  } catch (error) {
    if (error instanceof FilterTooLarge) return { ok: false, issues: parser.issues };
    throw error;
  }
}
