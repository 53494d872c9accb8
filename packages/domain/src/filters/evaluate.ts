import { oncePerObject } from '../once-per-object.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';
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
}

/**
 * An event as filters see it; null if a part of it is unknown.
 * @param consumer null for an event of no consumer; `attributes` is the JSON of an object
 */
export function filteredEvent(
  { eventKey, recipient, payload }: EventToFilter,
  consumer: { readonly id: string; readonly attributes: string } | null,
): FilteredEvent | null {
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

/**
 * An upper bound for the steps of a condition on a value of `n` bytes of JSON: `fixed + perByte * n`. A step is a
 * comparison of scalars, a field look-up, or a comparison of {@link CHARACTERS_PER_STEP} characters; it takes about
 * 10 ns.
 */
interface Cost {
  readonly fixed: number;
  readonly perByte: number;
}

const CHARACTERS_PER_STEP = 32;
/** The fewest bytes of a list element (one byte and a comma), and of an object among them (two and a comma). */
const ELEMENT_BYTES = 2;
const OBJECT_BYTES = 3;
/** The quotes and the colon of a field name. */
const NAME_BYTES = 3;

interface Compiled {
  readonly holds: Test;
  /** The JSON Pointer to the first false condition, for a value that does not match. */
  readonly failing: (value: Value, meter: FilterMeter) => string;
  /** The highest number of steps. Steps on the same value add up, as for the parts of `$or`. */
  readonly cost: Cost;
  /** The steps for a missing value. */
  readonly onMissing: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The steps to compare a value that is not a list with a scalar or an operand. */
const stepsFor = (operand: unknown): number => 1 + JSON.stringify(operand).length / CHARACTERS_PER_STEP;

/** The cost of a condition that is evaluated for each element of a list. */
const perElement = ({ fixed, perByte }: Cost): Cost => ({ fixed, perByte: perByte + fixed / ELEMENT_BYTES });

/**
 * Counts the fields of an object once for all conditions. For thousands of fields this takes milliseconds, and
 * JavaScript offers no cheaper way.
 */
const fieldsOf = oncePerObject((value: JsonObject) => Object.keys(value).length);

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
    case '$in':
    case '$nin': {
      const within = isIn(condition.operand);
      return (value, meter) => within(value, meter) === (condition.op === '$in');
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

function comparisonCost({ op, operand }: Comparison): Cost {
  const fixed = stepsFor(operand);
  const isIn = op === '$in' || op === '$nin';
  if (isIn && !Array.isArray(operand)) return perElement({ fixed, perByte: 4 / CHARACTERS_PER_STEP });
  // A look-up for each element of the value, if that is a list.
  return { fixed, perByte: 1 / CHARACTERS_PER_STEP + (isIn ? 1 / ELEMENT_BYTES : 0) };
}

type Field = Compiled & { readonly name: string };

/**
 * Every byte of an object is either its own (braces, commas, names) or part of one field's value. So the steps per
 * byte are those of the most expensive field; the object's own bytes pay for field look-ups and the fixed costs of
 * the field conditions. An object that cannot be in a list occurs once, so the fixed costs are simply added.
 */
function costOfFields(fields: readonly Field[], isList: boolean): Cost {
  const perByte = fields.map(({ cost }) => cost.perByte);
  if (!isList) {
    const fixed = 1 + sum(fields.map(({ cost, onMissing }) => Math.max(cost.fixed, onMissing)));
    return { fixed, perByte: Math.max(0, ...perByte) };
  }
  const fixed = 1 + sum(fields.map(({ onMissing }) => onMissing));
  const ofNames = fields.map(({ name, cost }) => cost.fixed / (name.length + NAME_BYTES));
  return { fixed, perByte: Math.max(...perByte, ...ofNames, fixed / OBJECT_BYTES) };
}

function compileFields({ pointer, fields, isList }: Extract<Condition, { op: 'fields' }>): Compiled {
  const parts = fields.map(([name, part]): Field => ({ name, ...compileCondition(part) }));
  const fieldOf = (value: JsonObject, name: string): Value =>
    Object.hasOwn(value, name) ? value[name] : undefined;
  const ofObject: Test = (value, meter) => {
    meter.take(1);
    return isJsonObject(value) && parts.every(({ name, holds }) => holds(fieldOf(value, name), meter));
  };
  return {
    holds: isList ? onElements(ofObject) : ofObject,
    failing: (value, meter) => {
      if (!isJsonObject(value)) return pointer;
      const failed = parts.find(({ name, holds }) => !holds(fieldOf(value, name), meter));
      return failed ? failed.failing(fieldOf(value, failed.name), meter) : pointer;
    },
    cost: costOfFields(parts, isList),
    onMissing: 1,
  };
}

/** Compiles a condition. It only reads own properties of an event. */
export function compileCondition(condition: Condition): Compiled {
  const { pointer } = condition;
  const failing = () => pointer;
  switch (condition.op) {
    case 'is': {
      const { scalar } = condition;
      const fixed = stepsFor(scalar);
      const holds = onElements((value, meter) => {
        meter.take(fixed);
        return value === scalar;
      });
      return { holds, failing, cost: perElement({ fixed, perByte: 0 }), onMissing: fixed };
    }
    case 'contains': {
      const parts = condition.parts.map(compileCondition);
      const holds: Test = (value, meter) => {
        meter.take(1);
        return (
          Array.isArray(value) &&
          parts.every((part) => value.some((element) => part.holds(element as JsonValue, meter)))
        );
      };
      const perByte = sum(parts.map(({ cost }) => perElement(cost).perByte));
      return { holds, failing, cost: { fixed: 1, perByte }, onMissing: 1 };
    }
    case 'fields':
      return compileFields(condition);
    case 'all':
    case 'any': {
      const parts = condition.parts.map(compileCondition);
      const cost = {
        fixed: sum(parts.map(({ cost: { fixed } }) => fixed)),
        perByte: sum(parts.map(({ cost: { perByte } }) => perByte)),
      };
      const onMissing = sum(parts.map((part) => part.onMissing));
      if (condition.op === 'any') {
        const holds: Test = (value, meter) => parts.some((part) => part.holds(value, meter));
        return { holds, failing, cost, onMissing };
      }
      return {
        holds: (value, meter) => parts.every((part) => part.holds(value, meter)),
        failing: (value, meter) =>
          parts.find((part) => !part.holds(value, meter))?.failing(value, meter) ?? pointer,
        cost,
        onMissing,
      };
    }
    case 'not': {
      const part = compileCondition(condition.part);
      return { ...part, holds: (value, meter) => !part.holds(value, meter), failing };
    }
    default: {
      const test = comparison(condition);
      const cost = comparisonCost(condition);
      const steps = stepsFor(condition.operand);
      const holds: Test = (value, meter) => {
        meter.take(steps);
        return test(value, meter);
      };
      return { holds, failing, cost, onMissing: steps };
    }
  }
}
