import { type ChannelRegistry, failure, type Rendered } from '@postrider/channels';
import { type ClaimedRun, type FileKey, type UnsubscribeUrlDeps, unsubscribeUrlOf } from '@postrider/db';
import { type AttemptOutcome, templateContextOf } from '@postrider/domain';
import type { Renderer } from '@postrider/rendering';
import type { LoadTemplate } from './load-template.ts';

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
  const link = await unsubscribeLink(deps, run);
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
