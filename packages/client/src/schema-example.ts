/** The parts of JSON Schema that examples need. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
}

const MAX_DEPTH = 8;
const STRINGS: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  uri: 'https://example.com/',
  uuid: '3b241101-e2bb-4255-8caf-4136c566a962',
};

/** A value that matches a simple schema: its own example if it has one. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return depth === 0 ? {} : null;
  const {
    type,
    properties,
    items,
    enum: choices,
    const: only,
    default: usual,
    examples,
    format,
    minimum,
  } = schema as Schema;
  const given = [examples?.[0], usual, only, choices?.[0]].find((each) => each !== undefined);
  if (given !== undefined) return given;
  const kind = Array.isArray(type)
    ? type.find((each) => each !== 'null')
    : (type ?? (properties && 'object'));
  if (kind === 'object' || depth === 0)
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, each]) => [name, exampleOf(each, depth + 1)]),
    );
  if (kind === 'array') return items ? [exampleOf(items, depth + 1)] : [];
  if (kind === 'integer' || kind === 'number') return minimum ?? 1;
  if (kind === 'boolean') return true;
  return STRINGS[format ?? ''] ?? 'text';
}
