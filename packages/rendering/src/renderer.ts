import { availableParallelism } from 'node:os';
import type {
  EmailTemplate,
  JsonValue,
  RenderedEmail,
  RenderedJson,
  TemplateContext,
  TemplateFault,
} from '@postrider/domain';
import { createFairGate } from './fair-gate.ts';
import type { Answers, Work } from './task.ts';
import { createThreads } from './threads.ts';

/** A template that renders longer is cut off: its thread is ended. */
const RENDER_TIME_LIMIT_MS = 1_000;
const MAX_WAITING = 1_000;
const MAX_THREADS = 4;

/**
 * `template`: it is wrong or does not fit the context. `cut_off`: it exceeded its time or memory. `busy`: it
 * was never tried, because too many wait or the caller gave up first; another try may succeed.
 */
export interface RenderFailure {
  readonly ok: false;
  readonly reason: 'template' | 'cut_off' | 'busy';
  readonly message: string;
}

type Success<Result> = Extract<Result, { ok: true }>;

export interface RenderOptions {
  /** Whose render it is, a channel for instance: the keys take turns. */
  readonly key: string;
  /** Gives up while waiting for a thread. */
  readonly signal?: AbortSignal;
}

export type CheckResult = { readonly ok: true; readonly faults: TemplateFault[] } | RenderFailure;

/**
 * Renders untrusted templates in threads of bounded memory and time. Rejects only when no thread can be had
 * at all.
 */
export interface Renderer {
  /** Where the template has HTML but no text, the text is derived from the HTML. */
  renderEmail(
    template: EmailTemplate,
    context: TemplateContext,
    options: RenderOptions,
  ): Promise<Success<RenderedEmail> | RenderFailure>;
  renderJson(
    body: JsonValue,
    context: TemplateContext,
    options: RenderOptions,
  ): Promise<Success<RenderedJson> | RenderFailure>;
  checkEmail(template: EmailTemplate, options: RenderOptions): Promise<CheckResult>;
  checkJson(body: JsonValue, options: RenderOptions): Promise<CheckResult>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** At least 2, so that one key never holds the last thread. */
  readonly threads?: number;
  readonly maxWaiting?: number;
  readonly timeLimitMs?: number;
  /** Hears of threads that died outside a render. */
  readonly onError: (error: unknown) => void;
}

const defaultThreads = () => Math.min(MAX_THREADS, Math.max(2, availableParallelism()));

type Answered<Answer> = { readonly ok: true; readonly answer: Answer } | RenderFailure;

function toRendered<Ok extends { ok: true }>(
  result: Answered<Ok | { ok: false; message: string }>,
): Ok | RenderFailure {
  if (!result.ok) return result;
  const { answer } = result;
  return answer.ok ? answer : { ok: false, reason: 'template', message: answer.message };
}

const toCheck = (result: Answered<TemplateFault[]>): CheckResult =>
  result.ok ? { ok: true, faults: result.answer } : result;

/** Creates the pool. One key never holds all threads, and the keys that wait take turns. */
export function createRenderer({
  threads: count = defaultThreads(),
  maxWaiting = MAX_WAITING,
  timeLimitMs = RENDER_TIME_LIMIT_MS,
  onError,
}: RendererOptions): Renderer {
  const threads = createThreads({ count, timeLimitMs, onError });
  const enter = createFairGate({ places: count, placesPerKey: Math.max(1, count - 1), maxWaiting });

  async function run<Kind extends Work['kind']>(
    work: Extract<Work, { kind: Kind }>,
    { key, signal }: RenderOptions,
  ): Promise<Answered<Answers[Kind]>> {
    const leave = await enter(key, signal);
    if (!leave) return { ok: false, reason: 'busy', message: 'no render thread was free in time' };
    try {
      const result = await threads.run<Kind>(work);
      if (result.outcome === 'answered') return { ok: true, answer: result.answer };
      return { ok: false, reason: 'cut_off', message: `the template was cut off: ${result.message}` };
    } finally {
      leave();
    }
  }

  return {
    renderEmail: async (template, context, options) =>
      toRendered(await run<'email'>({ kind: 'email', template, context }, options)),
    renderJson: async (body, context, options) =>
      toRendered(await run<'json'>({ kind: 'json', body, context }, options)),
    checkEmail: async (template, options) =>
      toCheck(await run<'check_email'>({ kind: 'check_email', template }, options)),
    checkJson: async (body, options) =>
      toCheck(await run<'check_json'>({ kind: 'check_json', body }, options)),
    close: () => threads.close(),
  };
}
