import module from 'node:module';
import { type Node, parse } from 'acorn';

interface Resolved {
  readonly url: string;
}
interface Loaded {
  readonly format: string;
  readonly source: string | Uint8Array;
}
/** Node.js 24 has these. Node.js 20, whose types are used, has not: nothing is observed there. */
const { registerHooks, stripTypeScriptTypes } = module as unknown as {
  stripTypeScriptTypes(source: string): string;
  registerHooks?(hooks: {
    resolve(
      specifier: string,
      context: { readonly parentURL?: string },
      next: (specifier: string, context: object) => Resolved,
    ): Resolved;
    load(url: string, context: object, next: (url: string, context: object) => Loaded): Loaded;
  }): void;
};

const ROOT = new URL('../../../', import.meta.url).href;
/** The end of the URL of an observed module: Node.js loads it apart from the same module without it. */
const OBSERVED = '?observed';
/** The path of an observed file from the root of the repository. */
export const pathOf = (url: string): string => url.slice(ROOT.length).replace(OBSERVED, '');

/** What tests use is loaded once for both; generated code is large. */
const NOT_OBSERVED = /\/node_modules\/|\/packages\/(?:testing|rig|local-stack)\/|\/src\/generated\//;
const isObservable = (url: string) => url.startsWith(ROOT) && url.endsWith('.ts') && !NOT_OBSERVED.test(url);

/** The global function that observed modules call with each object that they build. */
const RECORD = 'recordBuiltObject';

interface Built {
  readonly object: object;
  /** The path of the file. */
  readonly path: string;
}
/** Objects that were built, while some are recorded. */
let recorded: Built[] | null = null;

function* objectLiterals(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if ((node as Node).type === 'ObjectExpression') yield node as Node;
  for (const child of Object.values(node)) yield* objectLiterals(child);
}

/** The module, with each object literal `{…}` as `record({…}, path)`. */
function recording(source: string, path: string): string {
  const inserts = [...objectLiterals(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }))].flatMap(
    ({ start, end }): [number, string][] => [
      [start, `${RECORD}(`],
      [end, `,${JSON.stringify(path)})`],
    ],
  );
  let text = '';
  let from = 0;
  for (const [position, insert] of inserts.sort(([one], [other]) => one - other)) {
    text += source.slice(from, position) + insert;
    from = position;
  }
  return text + source.slice(from);
}

function setHooks(register: NonNullable<typeof registerHooks>): void {
  if (Reflect.has(globalThis, RECORD)) return;
  Reflect.set(globalThis, RECORD, (object: object, path: string) => {
    recorded?.push({ object, path });
    return object;
  });
  register({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isObserved = context.parentURL?.endsWith(OBSERVED) && isObservable(resolved.url);
      return isObserved ? { ...resolved, url: resolved.url + OBSERVED } : resolved;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(OBSERVED)) return loaded;
      const source = stripTypeScriptTypes(String(loaded.source));
      return { ...loaded, format: 'module', source: recording(source, pathOf(url)) };
    },
  });
}

/** Imports a file and what it imports once more, so that {@link shapesBuilt} sees the objects that they build. */
export async function importObserved<Module>(url: URL): Promise<Module> {
  if (!registerHooks) return import(url.href);
  setHooks(registerHooks);
  return import(url.href + OBSERVED);
}

/** Whether a value has one of these texts: itself, in its bytes, or in the elements of a list or the fields of an object. */
function has(value: unknown, texts: readonly string[], seen = new Set<unknown>()): boolean {
  if (typeof value === 'string') return texts.some((text) => value.includes(text));
  if (value instanceof Uint8Array) return has(Buffer.from(value).toString('latin1'), texts);
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).some((part) => has(part, texts, seen));
}

/** Sends the statements of the service. */
const SENDS_STATEMENTS = 'packages/db/src/statement.ts';

interface Journey {
  /** The names of the fields of each shape, with the file that builds it. */
  readonly shapes: readonly string[];
  /** The files to which the data comes back after another file had it. */
  readonly returns: readonly string[];
}

/**
 * How observed code carries data from the beginning of `work` to the last statement with it: in object literals that have one of the
 * texts that `work` returns, also inside of them. Literals with the same fields are one shape. One whose fields are all in another
 * is that one before it is complete, and does not count. What a parser builds is not among them: bodies of requests, and the
 * rows of the driver.
 * @param besides files that get the data besides, such as for a log line
 */
export async function followData(
  work: () => Promise<readonly string[]>,
  besides: readonly string[] = [],
): Promise<Journey> {
  const built: Built[] = [];
  recorded = built;
  let texts: readonly string[];
  try {
    texts = await work();
  } finally {
    recorded = null;
  }
  const carrying = built.filter(({ object, path }) => !besides.includes(path) && has(object, texts));
  const steps = carrying.slice(0, 1 + carrying.findLastIndex(({ path }) => path === SENDS_STATEMENTS));
  return { shapes: shapesOf(steps), returns: returnsOf(steps) };
}

function shapesOf(steps: readonly Built[]): string[] {
  const shapes = new Map<string, { readonly names: readonly string[]; readonly path: string }>();
  for (const { object, path } of steps) {
    const names = Object.keys(object).sort();
    shapes.set(names.join(), { names, path });
  }
  const all = [...shapes.values()];
  const isPart = (some: readonly string[]) =>
    all.some(({ names }) => names !== some && some.every((name) => names.includes(name)));
  return all.filter(({ names }) => !isPart(names)).map(({ names, path }) => `${path}: ${names.join(', ')}`);
}

function returnsOf(steps: readonly Built[]): string[] {
  const seen = new Set<string>();
  const visits = steps.map(({ path }) => path).filter((path, index, paths) => path !== paths[index - 1]);
  return visits.filter((path) => seen.size === seen.add(path).size);
}
