import module from 'node:module';
import { type Node, parse } from 'acorn';

interface Resolved {
  readonly url: string;
}
interface Loaded {
  readonly format: string;
  readonly source: string | Uint8Array;
}
/** Only Node.js 24 has these, not Node.js 20, whose types are used. Without them nothing is observed. */
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
/** Ends the URL of an observed module, so that Node.js loads it separately from the same module without this. */
const OBSERVED = '?observed';
/** The path of an observed file from the root of the repository. */
export const pathOf = (url: string): string => url.slice(ROOT.length).replace(OBSERVED, '');

/** Helpers of tests are loaded once, and generated code is large. */
const NOT_OBSERVED = /\/node_modules\/|\/packages\/(?:testing|rig|local-stack)\/|\/src\/generated\//;
const isObservable = (url: string) => url.startsWith(ROOT) && url.endsWith('.ts') && !NOT_OBSERVED.test(url);

/** The global function that observed modules call with each object that they build. */
const RECORD = 'recordBuiltObject';

interface Built {
  readonly object: object;
  /** The path of the file. */
  readonly path: string;
}
/** The objects built so far; null while none are recorded. */
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

/** Imports a file, and what it imports, a second time, so that {@link followData} sees the objects that they build. */
export async function importObserved<Module>(url: URL): Promise<Module> {
  if (!registerHooks) return import(url.href);
  setHooks(registerHooks);
  return import(url.href + OBSERVED);
}

/** Whether a string, bytes, or a value within a list or plain object contains one of these texts. */
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
 * Follows data through observed code, from the beginning of `work` to the last statement that contains it. `work` returns texts of the
 * data: an object literal carries the data if it contains one of them at any depth. Literals with the same fields are one shape. A
 * literal whose fields are all in another is an incomplete form of that one, and does not count. Neither does what a parser
 * builds: bodies of requests, and rows of the driver.
 * @param besides files whose literals do not count, such as those of a log line
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
