import type { JsonValue } from '../storable-json.ts';

/**
 * The positions of the first two equal items (JSON Schema core section 4.2.2: numbers by value, objects
 * whatever the order of their keys), or null. Takes time linear in the list; `spend` hears of each value, and
 * of the characters of each text.
 */
export function findDuplicate(
  items: readonly JsonValue[],
  spend: (steps: number) => void,
): readonly [number, number] | null {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = canonical(item, spend);
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return null;
}

/** A text that two values share exactly when they are equal. */
function canonical(value: JsonValue, spend: (steps: number) => void): string {
  spend(1);
  if (typeof value === 'string') spend(value.length);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, spend)).join()}]`;
  const keys = Object.keys(value).sort();
  const members = keys.map((key) => {
    spend(key.length);
    return `${JSON.stringify(key)}:${canonical(value[key] as JsonValue, spend)}`;
  });
  return `{${members.join()}}`;
}
