import type { ClaimedRun, ClaimedTemplate } from '@postrider/db';
import { defaultWebhookBody, type TemplateContext, testEmail } from '@postrider/domain';
import type { Renderer, RenderFailure, RenderOptions } from '@postrider/rendering';
import { type Content, failure, type SendFailure } from '../channels/channel.ts';
import { publicIds } from './public-ids.ts';

export type RenderedRun =
  | { readonly ok: true; readonly content: Content }
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
 * A render that was never tried, or whose process was ended from outside, may be tried again; a template that
 * fails will fail again (docs/specification.md, "Templates").
 */
function toFailure({ reason, message }: RenderFailure): RenderedRun {
  const retryable = reason === 'busy' || reason === 'lost';
  return { ok: false, failure: failure('template_render_failed', message, { retryable }) };
}

async function renderEmail(
  renderer: Renderer,
  run: ClaimedRun,
  template: ClaimedTemplate | null,
  options: RenderOptions,
): Promise<RenderedRun> {
  if (!template && run.message.test) {
    return { ok: true, content: { kind: 'email', ...testEmail(run.channel.name) } };
  }
  if (!template) {
    return {
      ok: false,
      failure: failure('template_render_failed', 'The run has no template.', { retryable: false }),
    };
  }
  const { subject, html, text, mjml } = template;
  const rendered = await renderer.renderEmail(
    { subject: subject ?? '', html, text, mjml },
    templateContext(run),
    options,
  );
  if (!rendered.ok) return toFailure(rendered);
  return {
    ok: true,
    content: { kind: 'email', subject: rendered.subject, html: rendered.html, text: rendered.text },
  };
}

function defaultBody(run: ClaimedRun): string {
  const ids = publicIds(run);
  const { eventKey, createdAt, recipient, payload } = run.message;
  return JSON.stringify(
    defaultWebhookBody({
      eventKey,
      timestamp: createdAt,
      messageId: ids.message,
      deliveryRunId: ids.run,
      recipient,
      payload,
    }),
  );
}

/**
 * Makes what is sent out of the run's pinned template, or without one the default body of a webhook or test
 * mail. Serialised once.
 */
export async function renderRun(
  renderer: Renderer,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<RenderedRun> {
  const options = { owner: run.tenantId, part: run.channel.id, signal };
  if (run.channel.kind === 'email') return renderEmail(renderer, run, run.template, options);
  if (!run.template) return { ok: true, content: { kind: 'webhook', body: defaultBody(run) } };
  const rendered = await renderer.renderJson(run.template.body, templateContext(run), options);
  if (!rendered.ok) return toFailure(rendered);
  return { ok: true, content: { kind: 'webhook', body: JSON.stringify(rendered.value) } };
}
