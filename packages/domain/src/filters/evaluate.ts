import { isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';
import { stepsOf } from './cost.ts';
import type { Comparison, Condition, Scalar } from './parse.ts';

/** What filters look at, as a filter names it. */
export interface FilteredEvent {
  readonly event_key: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
}

/** Thrown when filters have taken more steps on an event than they may. */
export class FilterStepsExceededError extends Error {}

/** Counts the steps that the filters of one event take together. */
export class FilterMeter {
  #left: number;
  #more: (() => number) | null;

  /** @param more steps that are granted once, when `steps` are used up: asked for only then */
  constructor(steps: number, more: (() => number) | null = null) {
    this.#left = steps;
    this.#more = more;
  }

  /** Throws {@link FilterStepsExceededError} when there are not so many steps left. */
  take(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    this.#left += this.#more?.() ?? 0;
    this.#more = null;
    if (this.#left < 0) throw new FilterStepsExceededError('the filters take too many steps on this event');
  }
}

/** A value of an event; undefined where the event has none. */
type Value = JsonValue | undefined;
type Test = (value: Value, meter: FilterMeter) => boolean;

/** A condition, ready to be tried. */
interface Compiled {
  readonly holds: Test;
  /** The JSON Pointer to the first condition that does not hold, of a value for which this one does not. */
  readonly failing: (value: Value, meter: FilterMeter) => string;
}

/** How many fields objects of events have. */
const fieldCounts = new WeakMap<object, number>();

/**
 * Counts the fields of an object once, however many conditions look at it: for one with thousands of fields that takes
 * milliseconds, and no part of it can be had for less.
 */
function fieldsOf(value: JsonObject): number {
  const known = fieldCounts.get(value);
  if (known !== undefined) return known;
  const count = Object.keys(value).length;
  fieldCounts.set(value, count);
  return count;
}

/**
 * Whether two values are the same JSON. Takes no longer than the operand is large, and the first time as long as the value
 * has fields.
 */
function equals(value: Value, operand: JsonValue): boolean {
  if (Array.isArray(operand)) {
    return (
      Array.isArray(value) &&
      value.length === operand.length &&
      operand.every((entry, index) => equals(value[index], entry))
    );
  }
  if (!isJsonObject(operand)) return value === operand;
  if (!isJsonObject(value)) return false;
  const entries = Object.entries(operand);
  return (
    entries.every(([name, entry]) => Object.hasOwn(value, name) && equals(value[name], entry as JsonValue)) &&
    fieldsOf(value) === entries.length
  );
}

/** Compares two numbers or two texts, these by their UTF-16 code units; no order is among other values. */
function ordered(
  operand: string | number,
  holds: (value: string | number, operand: string | number) => boolean,
): Test {
  const type = typeof operand;
  // Both have the same type.
  return (value) => typeof value === type && holds(value as string | number, operand);
}

/** `$in`: in a list of scalars, a part of a text, or an element of a list. Null where neither can be. */
function isIn(operand: Scalar | readonly Scalar[]): (value: Value, meter: FilterMeter) => boolean | null {
  if (Array.isArray(operand)) {
    const members = new Set<JsonValue>(operand);
    return (value) =>
      value === undefined || (typeof value === 'object' && value !== null) ? null : members.has(value);
  }
  return (value, meter) => {
    if (typeof value === 'string') {
      if (typeof operand !== 'string') return null;
      meter.take(value.length / 8);
      return value.includes(operand);
    }
    if (!Array.isArray(value)) return null;
    meter.take(value.length);
    return value.includes(operand as JsonValue);
  };
}

function comparison(condition: Comparison): Test {
  const { operand } = condition;
  switch (condition.op) {
    case '$eq':
      return (value) => equals(value, condition.operand);
    case '$neq':
      return (value) => value !== undefined && !equals(value, condition.operand);
    case '$gt':
      return ordered(condition.operand, (value, than) => value > than);
    case '$gte':
      return ordered(condition.operand, (value, than) => value >= than);
    case '$lt':
      return ordered(condition.operand, (value, than) => value < than);
    case '$lte':
      return ordered(condition.operand, (value, than) => value <= than);
    case '$in': {
      const within = isIn(condition.operand);
      return (value, meter) => within(value, meter) === true;
    }
    case '$nin': {
      const within = isIn(condition.operand);
      return (value, meter) => within(value, meter) === false;
    }
    case '$startsWith':
      return (value) => typeof value === 'string' && condition.operand.some((text) => value.startsWith(text));
    case '$endsWith':
      return (value) => typeof value === 'string' && condition.operand.some((text) => value.endsWith(text));
    case '$exist':
      return (value) => (value !== undefined) === operand;
  }
}

/** A test that also holds for a list with an element for which it holds. A list is a step, also one that has none. */
function onElements(test: Test): Test {
  const holds: Test = (value, meter) => {
    if (!Array.isArray(value)) return test(value, meter);
    meter.take(1);
    return value.some((element) => holds(element as JsonValue, meter));
  };
  return holds;
}

function compileFields({ pointer, fields, isList }: Extract<Condition, { op: 'fields' }>): Compiled {
  const parts = fields.map(([name, part]) => ({ name, part: compileCondition(part) }));
  const fieldOf = (value: JsonObject, name: string): Value =>
    Object.hasOwn(value, name) ? value[name] : undefined;
  const ofObject: Test = (value, meter) => {
    meter.take(1);
    return isJsonObject(value) && parts.every(({ name, part }) => part.holds(fieldOf(value, name), meter));
  };
  return {
    holds: isList ? onElements(ofObject) : ofObject,
    failing: (value, meter) => {
      if (!isJsonObject(value)) return pointer;
      const failed = parts.find(({ name, part }) => !part.holds(fieldOf(value, name), meter));
      return failed ? failed.part.failing(fieldOf(value, failed.name), meter) : pointer;
    },
  };
}

function compileAll(pointer: string, conditions: readonly Condition[]): Compiled {
  const parts = conditions.map(compileCondition);
  return {
    holds: (value, meter) => parts.every((part) => part.holds(value, meter)),
    failing: (value, meter) =>
      parts.find((part) => !part.holds(value, meter))?.failing(value, meter) ?? pointer,
  };
}

/** Makes a condition ready to be tried. Only own properties of an event are looked at. */
export function compileCondition(condition: Condition): Compiled {
  const { pointer } = condition;
  const as = (holds: Test): Compiled => ({ holds, failing: () => pointer });
  const steps = stepsOf(condition);
  switch (condition.op) {
    case 'is': {
      const { scalar } = condition;
      return as(
        onElements((value, meter) => {
          meter.take(steps);
          return value === scalar;
        }),
      );
    }
    case 'contains': {
      const parts = condition.parts.map(compileCondition);
      return as((value, meter) => {
        meter.take(1);
        return (
          Array.isArray(value) &&
          parts.every((part) => value.some((element) => part.holds(element as JsonValue, meter)))
        );
      });
    }
    case 'fields':
      return compileFields(condition);
    case 'all':
      return compileAll(pointer, condition.parts);
    case 'any': {
      const parts = condition.parts.map(compileCondition);
      return as((value, meter) => parts.some((part) => part.holds(value, meter)));
    }
    case 'not': {
      const part = compileCondition(condition.part);
      return as((value, meter) => !part.holds(value, meter));
    }
    default: {
      const holds = comparison(condition);
      return as((value, meter) => {
        meter.take(steps);
        return holds(value, meter);
      });
    }
  }
}
