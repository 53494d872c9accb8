import { isDeepStrictEqual } from 'node:util';

/** Marks a field that a value does not have. */
const MISSING = Symbol('missing');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** `$in` as the specification defines it; undefined for values that it does not mention. */
function within(value: unknown, operand: unknown): boolean | undefined {
  if (Array.isArray(operand)) {
    if (Array.isArray(value)) return value.some((element) => operand.indexOf(element) >= 0);
    return isScalar(value) ? operand.indexOf(value) >= 0 : undefined;
  }
  if (typeof value === 'string' && typeof operand === 'string') return value.indexOf(operand) >= 0;
  if (Array.isArray(value)) return value.some((element) => element === operand);
  return undefined;
}

/** Equal as JSON, where 0 and -0 are the same. */
const isEqual = (value: unknown, operand: unknown) => {
  const plain = (part: unknown) => JSON.parse(JSON.stringify(part)) as unknown;
  return isDeepStrictEqual(plain(value), plain(operand));
};

function compare(value: unknown, operand: unknown): number | undefined {
  const areTexts = typeof value === 'string' && typeof operand === 'string';
  const areNumbers = typeof value === 'number' && typeof operand === 'number';
  if (!areTexts && !areNumbers) return undefined;
  if (value === operand) return 0;
  return (value as number) < (operand as number) ? -1 : 1;
}

function operator(name: string, operand: unknown, value: unknown): boolean {
  const order = compare(value, operand);
  switch (name) {
    case '$or':
      return (operand as unknown[]).filter((part) => matches(part, value)).length > 0;
    case '$and':
      return (operand as unknown[]).filter((part) => !matches(part, value)).length === 0;
    case '$not':
      return !matches(operand, value);
    case '$exist':
      return operand === (value !== MISSING);
    case '$eq':
      return value !== MISSING && isEqual(value, operand);
    case '$neq':
      return value !== MISSING && !isEqual(value, operand);
    case '$gt':
      return order === 1;
    case '$gte':
      return order === 1 || order === 0;
    case '$lt':
      return order === -1;
    case '$lte':
      return order === -1 || order === 0;
    case '$in':
      return within(value, operand) === true;
    case '$nin':
      return within(value, operand) === false;
    case '$startsWith':
    case '$endsWith': {
      const texts = Array.isArray(operand) ? operand : [operand];
      if (typeof value !== 'string') return false;
      return texts.some((text: string) =>
        name === '$startsWith'
          ? value.slice(0, text.length) === text
          : text === '' || value.slice(-text.length) === text,
      );
    }
  }
  throw new Error(`no operator: ${name}`);
}

function fieldsMatch(fields: [string, unknown][], value: unknown): boolean {
  if (Array.isArray(value)) return value.some((element) => fieldsMatch(fields, element));
  if (!isObject(value)) return false;
  return fields.every(([name, part]) =>
    matches(part, Object.getOwnPropertyNames(value).includes(name) ? value[name] : MISSING),
  );
}

/** Evaluates filters as docs/specification.md, "Filters", describes them, without limits. */
export function matches(condition: unknown, value: unknown): boolean {
  if (Array.isArray(condition)) {
    return Array.isArray(value) && condition.every((part) => value.some((element) => matches(part, element)));
  }
  if (!isObject(condition)) {
    return Array.isArray(value) ? value.some((element) => matches(condition, element)) : value === condition;
  }
  const entries = Object.entries(condition);
  const operators = entries.filter(([name]) => name.startsWith('$'));
  const fields = entries.filter(([name]) => !name.startsWith('$'));
  if (!operators.every(([name, operand]) => operator(name, operand, value))) return false;
  return (operators.length > 0 && fields.length === 0) || fieldsMatch(fields, value);
}
