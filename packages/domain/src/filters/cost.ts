import type { Condition } from './parse.ts';

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

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const charactersOf = (value: unknown): number => JSON.stringify(value).length / CHARACTERS_PER_STEP;

/** The steps to compare a value that is not a list with the operand of a condition. */
export function stepsOf(condition: Condition): number {
  if ('operand' in condition) return 1 + charactersOf(condition.operand);
  return condition.op === 'is' ? 1 + charactersOf(condition.scalar) : 1;
}

/** The steps for a missing value. */
function stepsOnMissing(condition: Condition): number {
  switch (condition.op) {
    case 'all':
    case 'any':
      return sum(condition.parts.map(stepsOnMissing));
    case 'not':
      return stepsOnMissing(condition.part);
    default:
      return stepsOf(condition);
  }
}

/** The cost of a condition that is evaluated for each element of a list. */
const onElements = ({ fixed, perByte }: Cost): Cost => ({ fixed, perByte: perByte + fixed / ELEMENT_BYTES });

function comparisonCost(condition: Extract<Condition, { readonly operand: unknown }>): Cost {
  const fixed = stepsOf(condition);
  const isIn = condition.op === '$in' || condition.op === '$nin';
  if (isIn && !Array.isArray(condition.operand))
    return onElements({ fixed, perByte: 4 / CHARACTERS_PER_STEP });
  // A look-up for each element of the value, if that is a list.
  return { fixed, perByte: 1 / CHARACTERS_PER_STEP + (isIn ? 1 / ELEMENT_BYTES : 0) };
}

/**
 * Every byte of an object is either its own (braces, commas, names) or part of one field's value. So the steps per
 * byte are those of the most expensive field; the object's own bytes pay for field look-ups and the fixed costs of
 * the field conditions. An object that cannot be in a list occurs once, so the fixed costs are simply added.
 */
function fieldsCost({ fields, isList }: Extract<Condition, { readonly op: 'fields' }>): Cost {
  if (!isList) {
    const parts = fields.map(([, part]) => ({ ...costOf(part), missing: stepsOnMissing(part) }));
    return {
      fixed: 1 + sum(parts.map(({ fixed, missing }) => Math.max(fixed, missing))),
      perByte: Math.max(0, ...parts.map(({ perByte }) => perByte)),
    };
  }
  const fixed = 1 + sum(fields.map(([, part]) => stepsOnMissing(part)));
  const perByte = fields.flatMap(([name, part]) => {
    const cost = costOf(part);
    return [cost.perByte, cost.fixed / (name.length + NAME_BYTES)];
  });
  return { fixed, perByte: Math.max(...perByte, fixed / OBJECT_BYTES) };
}

/** The highest number of steps of a condition. Steps on the same value add up, as for the parts of `$or`. */
export function costOf(condition: Condition): Cost {
  switch (condition.op) {
    case 'is':
      return onElements({ fixed: stepsOf(condition), perByte: 0 });
    case 'contains':
      return { fixed: 1, perByte: sum(condition.parts.map((part) => onElements(costOf(part)).perByte)) };
    case 'fields':
      return fieldsCost(condition);
    case 'all':
    case 'any': {
      const parts = condition.parts.map(costOf);
      return {
        fixed: sum(parts.map(({ fixed }) => fixed)),
        perByte: sum(parts.map(({ perByte }) => perByte)),
      };
    }
    case 'not':
      return costOf(condition.part);
    default:
      return comparisonCost(condition);
  }
}
