import { type ChannelRegistry, failure, type SendFailure } from '@postrider/channels';
import type { ClaimedRun } from '@postrider/db';
import type { TemplateContext } from '@postrider/domain';
import type { Renderer } from '@postrider/rendering';
import { publicIds } from './public-ids.ts';

/** The content is that of the channel's kind. */
export type RenderedRun =
  | { readonly ok: true; readonly content: unknown }
  | { readonly ok: false; readonly failure: SendFailure };

function templateContext(run: ClaimedRun): TemplateContext {
  const ids = publicIds(run);
  return {
    event_key: run.message.eventKey,
    recipient: run.message.recipient,
    payload: run.message.payload,
    message_id: ids.message,
    delivery_run_id: ids.run,
    timestamp: run.message.createdAt.toISOString(),
  };
}

/**
 * Makes what is sent, by the run's pinned template or as the kind does without one. A render that was never tried, or
 * whose process was ended from outside, may be tried again; a template that fails will fail again
 * (docs/specification.md, "Templates").
 */
export async function renderRun(
  { kinds, renderer }: { readonly kinds: ChannelRegistry; readonly renderer: Renderer },
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<RenderedRun> {
  const { channel, message, template } = run;
  const rendered = await kinds
    .get(channel.kind)
    .template.render(
      renderer,
      { channelName: channel.name, test: message.test, template, context: templateContext(run) },
      { owner: run.tenantId, part: channel.id, signal },
    );
  if (rendered.ok) return rendered;
  const retryable = rendered.reason === 'busy' || rendered.reason === 'lost';
  return { ok: false, failure: failure('template_render_failed', rendered.message, { retryable }) };
}
