import { isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';
import { stepsOf } from './cost.ts';
import type { Comparison, Condition, Scalar } from './parse.ts';

/** The parts of an event that filters can access. */
export interface FilteredEvent {
  readonly event_key: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
  /** Left out for an event of no consumer. */
  readonly consumer?: { readonly id: string; readonly attributes: JsonObject };
}

/** The parts of an event to filter. Recipient and payload are null if they are invalid or not known. */
export interface EventToFilter {
  readonly eventKey: string;
  readonly recipient: JsonObject | null;
  readonly payload: JsonObject | null;
  /** `attributes` is the JSON of an object. */
  readonly consumer: { readonly id: string; readonly attributes: string } | null;
}

/** An event as filters see it; null if a part of it is unknown. */
export function filteredEvent({
  eventKey,
  recipient,
  payload,
  consumer,
}: EventToFilter): FilteredEvent | null {
  if (!recipient || !payload) return null;
  const event = { event_key: eventKey, recipient, payload };
  if (consumer === null) return event;
  return {
    ...event,
    consumer: { id: consumer.id, attributes: JSON.parse(consumer.attributes) as JsonObject },
  };
}

/** Thrown when the filters of an event exceed their limit of steps. */
export class FilterStepsExceededError extends Error {}

/** Counts the steps of all filters of one event. */
export class FilterMeter {
  #left: number;
  #more: (() => number) | null;

  /** @param more returns additional steps; called only when `steps` are used up */
  constructor(steps: number, more: (() => number) | null = null) {
    this.#left = steps;
    this.#more = more;
  }

  /** Throws {@link FilterStepsExceededError} if fewer steps are left. */
  take(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    this.#left += this.#more?.() ?? 0;
    this.#more = null;
    if (this.#left < 0) throw new FilterStepsExceededError('the filters take too many steps on this event');
  }
}

/** A value in an event; undefined if the event does not have it. */
type Value = JsonValue | undefined;
type Test = (value: Value, meter: FilterMeter) => boolean;

interface Compiled {
  readonly holds: Test;
  /** The JSON Pointer to the first false condition, for a value that does not match. */
  readonly failing: (value: Value, meter: FilterMeter) => string;
}

/** Cached field counts of event objects. */
const fieldCounts = new WeakMap<object, number>();

/**
 * Counts the fields of an object once for all conditions. For thousands of fields this takes milliseconds, and
 * JavaScript offers no cheaper way.
 */
function fieldsOf(value: JsonObject): number {
  const known = fieldCounts.get(value);
  if (known !== undefined) return known;
  const count = Object.keys(value).length;
  fieldCounts.set(value, count);
  return count;
}

/**
 * Whether two values are the same JSON. Takes time linear in the operand, and the first time also in the number of the
 * value's fields.
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

/** Compares two numbers or two texts (by UTF-16 code units). Other values have no order. */
function ordered(
  operand: string | number,
  holds: (value: string | number, operand: string | number) => boolean,
): Test {
  const type = typeof operand;
  // Both have the same type.
  return (value) => typeof value === type && holds(value as string | number, operand);
}

/**
 * `$in`: an element of a list of scalars, a substring of a text, or an element of a list in the event; with lists on both sides,
 * whether they have a common element. Null if none applies.
 */
function isIn(operand: Scalar | readonly Scalar[]): (value: Value, meter: FilterMeter) => boolean | null {
  if (Array.isArray(operand)) {
    const members = new Set<JsonValue>(operand);
    return (value, meter) => {
      if (Array.isArray(value)) {
        meter.take(value.length);
        return value.some((element) => members.has(element as JsonValue));
      }
      return value === undefined || isJsonObject(value) ? null : members.has(value);
    };
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

/** A test that also matches a list with a matching element. A list costs a step, even if it is empty. */
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

/** Compiles a condition. It only reads own properties of an event. */
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
