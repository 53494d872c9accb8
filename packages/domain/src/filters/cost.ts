import type { Condition } from './parse.ts';

/**
 * How many steps a condition takes on a value of `n` bytes of JSON: at most `fixed + perByte * n`. A step is one comparison of
 * scalars, the look-up of a field, or the comparison of {@link CHARACTERS_PER_STEP} characters: some 10 ns.
 */
export interface Cost {
  readonly fixed: number;
  readonly perByte: number;
}

const CHARACTERS_PER_STEP = 32;
/** An element of a list has at least one byte and a comma, an object among them two and a comma. */
const ELEMENT_BYTES = 2;
const OBJECT_BYTES = 3;
/** The quotes of the name of a field, and its colon. */
const NAME_BYTES = 3;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const charactersOf = (value: unknown): number => JSON.stringify(value).length / CHARACTERS_PER_STEP;

/** The steps of comparing a value, which is no list, with the operand of a condition. */
export function stepsOf(condition: Condition): number {
  if ('operand' in condition) return 1 + charactersOf(condition.operand);
  return condition.op === 'is' ? 1 + charactersOf(condition.scalar) : 1;
}

/** The steps on a value that is missing. */
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

/** Of a condition that is tried on each element of a list, whose bytes it looks at besides. */
const onElements = ({ fixed, perByte }: Cost): Cost => ({ fixed, perByte: perByte + fixed / ELEMENT_BYTES });

function comparisonCost(condition: Extract<Condition, { readonly operand: unknown }>): Cost {
  const fixed = stepsOf(condition);
  const isSearch = (condition.op === '$in' || condition.op === '$nin') && !Array.isArray(condition.operand);
  return isSearch
    ? onElements({ fixed, perByte: 4 / CHARACTERS_PER_STEP })
    : { fixed, perByte: 1 / CHARACTERS_PER_STEP };
}

/**
 * Every byte of an object is its own (braces, commas and names) or one field's, so that the steps per byte are those of the
 * dearest: its own pay for the look-ups of fields, and for what their conditions take whatever the value is. An object that
 * can be in no list is there once, so that what its conditions take in any case is simply added.
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

/** The most steps that a condition takes. Those that look at the same value, as the parts of `$or` do, add up. */
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
