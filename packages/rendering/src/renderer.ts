import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  type JsonPreview,
  type JsonValue,
  oncePerObject,
  type RenderedEmail,
  type RenderedJson,
  type TemplateCheck,
  type TemplateContext,
  type TemplateSource,
  type TemplateWarning,
} from '@postrider/domain';
import { createFairSemaphore, type Holder } from '@postrider/fairness';
import type { NewPart, PartCheck } from './prepare.ts';
import { createProcesses, type Processes } from './processes.ts';
import type { Answers, PreviewedEmail, SourcedEmail, Work } from './task.ts';

/** The time limit of a render. The process of a template that takes longer is killed. */
const RENDER_TIME_LIMIT_MS = 1_000;
/** Checking and compiling happen once per version, and the largest valid source takes a good second. */
const PREPARE_TIME_LIMIT_MS = 5_000;
const MAX_WAITING = 1_000;
const MAX_WAITING_PER_OWNER = 250;
const MAX_PROCESSES = 4;

/**
 * `template`: the template is wrong or does not fit the context. `cut_off`: it exceeded its time or memory. `busy`:
 * it was never tried, because the queue is full, the caller gave up, or no process starts; another try may succeed.
 * `lost`: its process was killed from outside; another try may succeed.
 */
export interface RenderFailure {
  readonly ok: false;
  readonly reason: 'template' | 'cut_off' | 'lost' | 'busy';
  readonly message: string;
}

type Success<Result> = Extract<Result, { ok: true }>;

/** The owner of a render. Owners take turns, and within an owner its parts. */
export interface RenderOptions extends Holder {
  /** Aborts waiting for a process. */
  readonly signal?: AbortSignal;
}

/** The process's answer, or the failure. */
export type Answered<Answer> = { readonly ok: true; readonly answer: Answer } | RenderFailure;

type Render<Template, Result> = (
  template: Template,
  context: TemplateContext,
  options: RenderOptions,
) => Promise<Result>;

/** Renders untrusted templates in processes with limited memory and time. Never rejects. */
export interface Renderer extends Pick<Processes, 'isReady' | 'whenReady' | 'pids' | 'close'> {
  /** Without a text, it is derived from the HTML. */
  readonly renderEmail: Render<SourcedEmail, Success<RenderedEmail> | RenderFailure>;
  readonly renderJson: Render<JsonValue, Success<RenderedJson> | RenderFailure>;
  /** Renders a preview, within the limits of a render: see `previewEmailTemplate` in the domain package. */
  readonly previewEmail: Render<SourcedEmail, Answered<PreviewedEmail>>;
  readonly previewJson: Render<JsonValue, Answered<JsonPreview>>;
  /** Warnings about an email's HTML that is not rendered. */
  inspect(html: string, options: RenderOptions): Promise<Answered<TemplateWarning[]>>;
  /** Compiles the MJML of a new template version, and checks all of its content. */
  prepare(source: TemplateSource, options: RenderOptions): Promise<Answered<TemplateCheck>>;
  /** Checks a new version of a layout, partial or translation, and compiles a layout that is MJML. */
  preparePart(part: NewPart, options: RenderOptions): Promise<Answered<PartCheck>>;
}

export interface RendererOptions {
  /** At least 2, so that one owner never holds the last process. */
  readonly processes?: number;
  /** The longest queue of all owners together. Further work is refused as `busy`. */
  readonly maxWaiting?: number;
  readonly maxWaitingPerOwner?: number;
  readonly timeLimitMs?: number;
  /** The time limit of `prepare` and `preparePart`. */
  readonly prepareTimeLimitMs?: number;
  /** How long an idle process is kept, in milliseconds; null (the default) keeps it as long as the pool. */
  readonly restMs?: number | null;
  /** Called when a process does not start. */
  readonly onError: (error: unknown) => void;
}

/** As many render processes as the machine has cores, between 2 and 4. */
export const defaultRenderProcesses = () => Math.min(MAX_PROCESSES, Math.max(2, availableParallelism()));

const refused = (reason: RenderFailure['reason'], message: string): RenderFailure => ({
  ok: false,
  reason,
  message,
});

/** The reason of each failure of a process, and the beginning of the message. */
const FAILURES = {
  failed: ['template', 'the template cannot be rendered: '],
  cut_off: ['cut_off', 'the rendering was stopped: '],
  lost: ['lost', 'the template was not rendered completely: '],
  not_started: ['busy', ''],
} as const;

function toRendered<Ok extends { ok: true }>(
  result: Answered<Ok | { ok: false; message: string }>,
): Ok | RenderFailure {
  if (!result.ok) return result;
  const { answer } = result;
  return answer.ok ? answer : { ok: false, reason: 'template', message: answer.message };
}

const digest = (template: unknown) => createHash('sha256').update(JSON.stringify(template)).digest('base64');
const digestOfObject = oncePerObject<object, string>(digest);

/** A digest of a template, which is computed once for each object. */
const digestOf = (template: SourcedEmail | JsonValue): string =>
  typeof template === 'object' && template !== null ? digestOfObject(template) : digest(template);

/** The parts of a render request that processes cache: all except the context. */
function sharedOf<Template extends SourcedEmail | JsonValue>(
  template: Template,
  { resources, ...context }: TemplateContext,
  { owner }: RenderOptions,
) {
  const key = resources?.key;
  return {
    owner,
    template: { key: digestOf(template), content: template },
    resources: resources && key !== undefined ? { key, content: resources } : null,
    context: resources && key === undefined ? { ...context, resources } : context,
  };
}

/** Creates the pool. No owner ever holds all processes. */
export function createRenderer({
  processes: count = defaultRenderProcesses(),
  maxWaiting = MAX_WAITING,
  maxWaitingPerOwner = MAX_WAITING_PER_OWNER,
  timeLimitMs = RENDER_TIME_LIMIT_MS,
  prepareTimeLimitMs = PREPARE_TIME_LIMIT_MS,
  restMs = null,
  onError,
}: RendererOptions): Renderer {
  const processes = createProcesses({ count, restMs, onError });
  const { isReady, whenReady, pids, close } = processes;
  const semaphore = createFairSemaphore({
    total: count,
    perOwner: Math.max(1, count - 1),
    maxWaiting,
    maxWaitingPerOwner,
  });

  async function run<Kind extends Work['kind']>(
    work: Extract<Work, { kind: Kind }>,
    { signal, ...holder }: RenderOptions,
    limitMs = timeLimitMs,
  ): Promise<Answered<Answers[Kind]>> {
    const permit = await semaphore.acquire(holder, signal);
    if (!permit) return refused('busy', 'no render process was free in time');
    try {
      const result = await processes.run<Kind>(work, limitMs);
      if (result.outcome === 'answered') return { ok: true, answer: result.answer };
      const [reason, what] = FAILURES[result.outcome];
      return refused(reason, `${what}${result.message}`);
    } catch {
      // `onError` was called with the reason.
      return refused('busy', 'no render process could be started');
    } finally {
      permit.release();
    }
  }

  return {
    renderEmail: async (template, context, options) =>
      toRendered<Success<RenderedEmail>>(
        await run<'email'>({ kind: 'email', ...sharedOf(template, context, options) }, options),
      ),
    renderJson: async (body, context, options) =>
      toRendered(await run<'json'>({ kind: 'json', ...sharedOf(body, context, options) }, options)),
    previewEmail: (template, context, options) =>
      run<'preview_email'>({ kind: 'preview_email', template, context }, options),
    previewJson: (body, context, options) =>
      run<'preview_json'>({ kind: 'preview_json', body, context }, options),
    inspect: (html, options) => run<'inspect'>({ kind: 'inspect', html }, options),
    prepare: (source, options) => run<'prepare'>({ kind: 'prepare', source }, options, prepareTimeLimitMs),
    preparePart: (part, options) =>
      run<'prepare_part'>({ kind: 'prepare_part', part }, options, prepareTimeLimitMs),
    isReady,
    whenReady,
    pids,
    close,
  };
}
