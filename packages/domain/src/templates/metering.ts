import {
  type Context,
  type Emitter,
  type FilterImplOptions,
  type Liquid,
  LiquidError,
  RenderError,
  type Template,
  toValue,
} from 'liquidjs';

/** Most mail servers truncate or refuse mail far smaller than this. */
export const MAX_RENDERED_CHARACTERS = 2 * 1_024 * 1_024;
/** The assumed size of a number, boolean or date, in characters. */
const SCALAR_SIZE = 8;
/**
 * Each issue has a copy of its line, so the number of issues times the length of the source is limited. A few issues
 * are always collected.
 */
const MAX_ISSUE_WORK = 20_000_000;
const MIN_ISSUES = 20;

/**
 * The printed size of a value: the characters of all its texts, counting repetitions. A list of a million references to
 * one text is small until it is printed, joined or compared. Values never change during a render, so the size of a list
 * or object is computed once.
 */
const sizes = new WeakMap<object, number>();

export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SCALAR_SIZE;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = SCALAR_SIZE;
  if (Array.isArray(value)) {
    for (const item of value) size += sizeOf(item) + 1;
  } else if (isPlain(value)) {
    for (const [key, item] of Object.entries(value)) size += key.length + sizeOf(item) + 1;
  }
  sizes.set(value, size);
  return size;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

export type FilterHandler = Extract<FilterImplOptions, (...given: never[]) => unknown>;

class TooMuchRendered extends Error {
  override readonly name = 'TooMuchRendered';
  constructor() {
    super(`more than ${MAX_RENDERED_CHARACTERS} characters were rendered`);
  }
}

/** Collects the output of a template or a capture. Never creates a text beyond the limit. */
class MeteredEmitter implements Emitter {
  buffer = '';

  write(value: unknown): void {
    const written = toValue(value);
    const size = written === null || written === undefined ? 0 : sizeOf(written);
    if (this.buffer.length + size > MAX_RENDERED_CHARACTERS) throw new TooMuchRendered();
    this.buffer += textOf(written);
  }
}

/** Converts a value to text like the library. */
function textOf(value: unknown): string {
  const written = toValue(value);
  if (typeof written === 'string') return written;
  if (written === null || written === undefined) return '';
  if (Array.isArray(written)) return written.map(textOf).join('');
  return String(written);
}

/** Several issues in the form that the library throws: with `errors`. */
class RenderErrors extends Error {
  override readonly name = 'RenderErrors';
  readonly errors: readonly unknown[];
  constructor(errors: readonly unknown[]) {
    super(`${errors.length} issues`);
    this.errors = errors;
  }
}

const isExhausted = (error: unknown): boolean => {
  const { name, message, originalError } = error as {
    name?: string;
    message?: string;
    originalError?: unknown;
  };
  if (name === 'TooMuchRendered') return true;
  if (name === 'AssertionError' && message?.endsWith(' limit exceeded')) return true;
  return originalError !== undefined && isExhausted(originalError);
};

const isLocated = (error: unknown) => error instanceof RenderErrors || LiquidError.is(error);

/**
 * Meters a template at the three places that all values pass: the input and the output of filters, and the rendered
 * output. The library itself counts only the items and characters that filters create, not the content of lists or the
 * output. Rendering stops when a limit is exceeded.
 */
export function meter(liquid: Liquid): Liquid {
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (filter) liquid.registerFilter(name, meteredFilter(filter));
  }
  liquid.renderer.renderTemplates = renderTemplates;
  return liquid;
}

function meteredFilter(filter: FilterImplOptions): FilterImplOptions {
  return typeof filter === 'function'
    ? meteredHandler(filter)
    : { ...filter, handler: meteredHandler(filter.handler) };
}

const isGenerator = (value: unknown): value is Generator<unknown, unknown> =>
  typeof (value as { next?: unknown } | null | undefined)?.next === 'function';

function meteredHandler(handler: FilterHandler): FilterHandler {
  return function metered(value: unknown, ...args: unknown[]) {
    const { memoryLimit } = this.context;
    let given = sizeOf(value);
    for (const argument of args) given += sizeOf(argument);
    memoryLimit.check(given);

    const charged = (result: unknown) => {
      // The library has already counted the filter's input.
      if (typeof result === 'string') memoryLimit.use(result.length - given);
      else memoryLimit.check(sizeOf(result));
      return result;
    };
    const result = handler.call(this, value, ...args);
    return isGenerator(result) ? chargedLater(result, charged) : charged(result);
  };
}

function* chargedLater(result: Generator<unknown, unknown>, charged: (result: unknown) => unknown) {
  return charged(yield result);
}

/** Replaces the library's method with a metered one. */
function* renderTemplates(
  templates: Template[],
  context: Context,
  emitter: Emitter = new MeteredEmitter(),
): Generator<unknown, string, unknown> {
  const { catchAllErrors } = context.opts;
  const errors: unknown[] = [];
  for (const template of templates) {
    context.renderLimit.check(performance.now());
    try {
      const text = yield template.render(context, emitter);
      if (text) emitter.write(text);
      if (context.breakCalled || context.continueCalled) break;
    } catch (error) {
      const located = isLocated(error) ? error : new RenderError(error as Error, template);
      if (!catchAllErrors || isExhausted(located)) throw located;
      errors.push(located);
      if (errors.length >= MIN_ISSUES && errors.length * template.token.input.length > MAX_ISSUE_WORK) break;
    }
  }
  if (errors.length > 0) throw new RenderErrors(errors);
  return emitter.buffer;
}
