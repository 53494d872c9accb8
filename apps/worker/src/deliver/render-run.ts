import { type ChannelRegistry, failure, type Rendered } from '@postrider/channels';
import {
  type ClaimedRun,
  type FileKey,
  type StoredPartContent,
  type TemplateContent,
  type UnsubscribeUrlDeps,
  unsubscribeUrlOf,
} from '@postrider/db';
import {
  type AttemptOutcome,
  type JsonObject,
  LRUCache,
  type PinnedPart,
  planResources,
  type TemplateResources,
  templateContextOf,
  toResources,
} from '@postrider/domain';
import type { Renderer } from '@postrider/rendering';

/** The size of each cache, in stored characters. */
const MAX_CACHED_CHARACTERS = 16 * 1_024 * 1_024;
/** The overhead of a cache entry. */
const ENTRY_CHARACTERS = 200;

/** Versions of templates and contents of parts, which never change. */
export interface FindTemplates {
  template(environmentId: string, id: string): Promise<TemplateContent | null>;
  contents(environmentId: string, parts: readonly PinnedPart[]): Promise<StoredPartContent[]>;
}

/** A run's template, one object for each version, with its resources for the recipient; null if they are the default. */
interface LoadedTemplate {
  readonly template: TemplateContent;
  readonly resources: TemplateResources | null;
}

/** Loads the template of a run; null if it has none. */
export type LoadTemplate = (run: ClaimedRun) => Promise<LoadedTemplate | null>;

function charactersOf({ subject, html, text, mjml, body, envelope, parts }: TemplateContent): number {
  const texts = [subject, html, text, mjml].reduce((sum, source) => sum + (source?.length ?? 0), 0);
  return texts + JSON.stringify([body, envelope, parts]).length + ENTRY_CHARACTERS;
}

/**
 * Creates a {@link LoadTemplate} that caches by id, so that runs with the same template or layout read it once.
 */
export function createLoadTemplate(find: FindTemplates, maxCharacters = MAX_CACHED_CHARACTERS): LoadTemplate {
  const templates = new LRUCache<string, TemplateContent, string>({
    maxSize: maxCharacters,
    sizeCalculation: charactersOf,
    // Otherwise a look-up fails when other templates evict its entry meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: async (id, _stale, { context: environmentId }) =>
      (await find.template(environmentId, id)) ?? undefined,
  });
  const contents = new LRUCache<string, StoredPartContent>({
    maxSize: maxCharacters,
    sizeCalculation: ({ characters }) => characters + ENTRY_CHARACTERS,
  });

  async function contentsOf(environmentId: string, parts: readonly PinnedPart[]) {
    const found = new Map<string, StoredPartContent['content']>();
    const unknown: PinnedPart[] = [];
    for (const part of parts) {
      const kept = contents.get(part.id);
      if (kept) found.set(part.id, kept.content);
      else unknown.push(part);
    }
    if (unknown.length === 0) return found;
    for (const stored of await find.contents(environmentId, unknown)) {
      contents.set(stored.id, stored);
      found.set(stored.id, stored.content);
    }
    return found;
  }

  return async ({ environmentId, templateId, message }) => {
    if (templateId === null) return null;
    const template = await templates.fetch(templateId, { context: environmentId });
    if (!template) throw new Error(`there is no template version ${templateId}`);
    const plan = planResources(template, message.recipient as JsonObject);
    const resources = plan && toResources(plan, await contentsOf(environmentId, plan.needed));
    return { template, resources };
  };
}

export interface RenderDeps {
  readonly kinds: ChannelRegistry;
  readonly renderer: Renderer;
  readonly loadTemplate: LoadTemplate;
  readonly unsubscribe: UnsubscribeUrlDeps;
  /** Reads a file of a message. Null if there is none. */
  readonly readFile: (key: FileKey) => Promise<Buffer | null>;
  /** Those of a run's copies that are suppressed. */
  readonly findSuppressedCopies: (
    run: ClaimedRun,
    addresses: readonly string[],
  ) => Promise<readonly string[]>;
}

/** The content has the type of the channel's kind. */
type RenderedRun =
  | {
      readonly ok: true;
      readonly content: unknown;
      readonly unsubscribeUrl: string | null;
      readonly suppressedCopies: readonly string[];
    }
  | { readonly ok: false; readonly failure: AttemptOutcome };

type UnsubscribeLink =
  | { readonly ok: true; readonly url: string | null }
  | { readonly ok: false; readonly failure: AttemptOutcome };

const unrendered = (message: string, retryable = true) => ({
  ok: false as const,
  failure: failure('template_render_failed', message, { stage: 'render', retryable }),
});

/**
 * Creates the unsubscribe link of a run in a stream. Without one nothing is sent; the attempt is retried, because an
 * operator can fix that.
 */
async function unsubscribeLink(
  { kinds, unsubscribe }: RenderDeps,
  { runId, environmentId, channel, message }: ClaimedRun,
): Promise<UnsubscribeLink> {
  const { stream, recipient } = message;
  const run = { runId, environmentId, stream, recipient };
  const field = kinds.get(channel.kind).suppressibleField;
  const link = await unsubscribeUrlOf(unsubscribe, run, field).catch(() => null);
  if (link?.ok) return link;
  const reason = link ? 'PUBLIC_URL is not configured' : 'the key of unsubscribe links could not be opened';
  const text = `Nothing was sent: the message has a stream and needs an unsubscribe link, but ${reason}.`;
  return unrendered(text);
}

/**
 * Renders the content of a run from its template version, or the default of its kind. A render that was never tried, or
 * whose process was killed from outside, is retried. A failing template is not, because it would fail again
 * (docs/specification.md, "Templates").
 */
export async function renderRun(
  deps: RenderDeps,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<RenderedRun> {
  const { channel, message } = run;
  const link =
    message.stream === null ? ({ ok: true, url: null } as const) : await unsubscribeLink(deps, run);
  if (!link.ok) return link;
  const unsubscribeUrl = link.url;
  let loaded: Awaited<ReturnType<LoadTemplate>>;
  try {
    loaded = await deps.loadTemplate(run);
  } catch {
    const unread = 'The template, or its layouts, partials and translations, could not be read.';
    return unrendered(unread);
  }
  let isFileUnread = false;
  const readFile = (number: number) =>
    deps.readFile({ environmentId: run.environmentId, messageId: message.id, number }).catch((error) => {
      isFileUnread = true;
      throw error;
    });
  let rendered: Rendered<unknown>;
  try {
    rendered = await deps.kinds.get(channel.kind).template.render(
      deps.renderer,
      {
        channelName: channel.name,
        config: channel.config,
        test: message.test,
        operational: message.operational === true,
        template: loaded?.template ?? null,
        context: templateContextOf({
          ...{ runId: run.runId, message, unsubscribeUrl, resources: loaded?.resources ?? null },
          sequence: run.sequence,
        }),
        readFile,
      },
      { owner: run.tenantId, part: channel.id, signal },
    );
  } catch (error) {
    // Nothing was sent. Without this the attempt would stay open until its lease ends, as if the worker were lost.
    if (!isFileUnread) throw error;
    const unread = 'A file of the event could not be read.';
    return unrendered(unread);
  }
  if (rendered.ok) {
    const { content } = rendered;
    const copies = deps.kinds.get(channel.kind).copiesOf?.(content) ?? [];
    try {
      const suppressedCopies = copies.length === 0 ? [] : await deps.findSuppressedCopies(run, copies);
      return { ok: true, content, unsubscribeUrl, suppressedCopies };
    } catch {
      const unread = 'Nothing was sent: whether the copies are suppressed could not be read.';
      return unrendered(unread);
    }
  }
  const retryable = rendered.reason === 'busy' || rendered.reason === 'lost';
  return unrendered(rendered.message, retryable);
}
