/** A JSON object, as the service takes and shows it. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text with its JSON indented; unchanged if it is not JSON. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The value at a path, or undefined. */
export function getAt(value: unknown, at: string): unknown {
  return at.split('.').reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);
}

/** A copy with the value at a path; undefined removes it and parents left empty. */
export function setAt(value: Json, at: string, part: unknown): Json {
  const [name = '', ...inner] = at.split('.');
  const own = value[name];
  const changed = inner.length === 0 ? part : setAt(isObject(own) ? own : {}, inner.join('.'), part);
  const isGone =
    changed === undefined || (part === undefined && isObject(changed) && Object.keys(changed).length === 0);
  if (!isGone) return { ...value, [name]: changed };
  const { [name]: _removed, ...others } = value;
  return others;
}

/** The JSON Merge Patch (RFC 7396) between two values. Maps are compared name by name. */
export function patchBetween(before: Json, after: Json): Json {
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    if (now === undefined) {
      if (old !== null) patch[name] = null;
    } else patch[name] = isObject(old) && isObject(now) ? patchBetween(old, now) : now;
  }
  return patch;
}

/** A value with a JSON Merge Patch. */
export function applyPatch(value: Json, patch: Json): Json {
  const changed: Record<string, unknown> = { ...value };
  for (const [name, part] of Object.entries(patch)) {
    const own = changed[name];
    if (part === null) delete changed[name];
    else changed[name] = isObject(own) && isObject(part) ? applyPatch(own, part) : part;
  }
  return changed;
}
