import { availableParallelism } from 'node:os';
import type {
  EmailTemplate,
  JsonPreview,
  JsonValue,
  RenderedEmail,
  RenderedJson,
  TemplateContent,
  TemplateContext,
  TemplateVerdict,
} from '@postrider/domain';
import { createFairGate } from './fair-gate.ts';
import type { Answers, PreviewedEmail, Work } from './task.ts';
import { createThreads } from './threads.ts';

/** A template that renders longer is cut off: its thread is ended. */
const RENDER_TIME_LIMIT_MS = 1_000;
/** Checking and compiling is done once per version, and the largest sound source takes a good second. */
const PREPARE_TIME_LIMIT_MS = 5_000;
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

/** What the thread answered, or why it did not. */
export type Answered<Answer> = { readonly ok: true; readonly answer: Answer } | RenderFailure;

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
  /** Renders to be looked at, within the limits of a render: see `previewEmailTemplate` of the domain. */
  previewEmail(
    template: EmailTemplate,
    context: TemplateContext,
    options: RenderOptions,
  ): Promise<Answered<PreviewedEmail>>;
  previewJson(
    body: JsonValue,
    context: TemplateContext,
    options: RenderOptions,
  ): Promise<Answered<JsonPreview>>;
  /** Compiles the `html` of a new template version where it is MJML, and checks all of its content. */
  prepare(content: TemplateContent, options: RenderOptions): Promise<Answered<TemplateVerdict>>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** At least 2, so that one key never holds the last thread. */
  readonly threads?: number;
  readonly maxWaiting?: number;
  readonly timeLimitMs?: number;
  /** For a process that renders rarely: threads start when there is work. Else they start at once. */
  readonly onDemand?: boolean;
  /** Hears of threads that died outside a render. */
  readonly onError: (error: unknown) => void;
}

const defaultThreads = () => Math.min(MAX_THREADS, Math.max(2, availableParallelism()));

function toRendered<Ok extends { ok: true }>(
  result: Answered<Ok | { ok: false; message: string }>,
): Ok | RenderFailure {
  if (!result.ok) return result;
  const { answer } = result;
  return answer.ok ? answer : { ok: false, reason: 'template', message: answer.message };
}

/** Creates the pool. One key never holds all threads, and the keys that wait take turns. */
export function createRenderer({
  threads: count = defaultThreads(),
  maxWaiting = MAX_WAITING,
  timeLimitMs = RENDER_TIME_LIMIT_MS,
  onDemand = false,
  onError,
}: RendererOptions): Renderer {
  const threads = createThreads({ count, onDemand, onError });
  const enter = createFairGate({ places: count, placesPerKey: Math.max(1, count - 1), maxWaiting });

  async function run<Kind extends Work['kind']>(
    work: Extract<Work, { kind: Kind }>,
    { key, signal }: RenderOptions,
    limitMs = timeLimitMs,
  ): Promise<Answered<Answers[Kind]>> {
    const leave = await enter(key, signal);
    if (!leave) return { ok: false, reason: 'busy', message: 'no render thread was free in time' };
    try {
      const result = await threads.run<Kind>(work, limitMs);
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
    previewEmail: (template, context, options) =>
      run<'preview_email'>({ kind: 'preview_email', template, context }, options),
    previewJson: (body, context, options) =>
      run<'preview_json'>({ kind: 'preview_json', body, context }, options),
    prepare: (content, options) =>
      run<'prepare'>({ kind: 'prepare', content }, options, PREPARE_TIME_LIMIT_MS),
    close: () => threads.close(),
  };
}
