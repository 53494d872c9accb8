import { readEventType, readTemplate, type TemplateRecord, type UnboundDatabase } from '@postrider/db';
import {
  formatId,
  formatTime,
  type IdSource,
  type JsonValue,
  type MissingVariable,
  type TemplateContext,
  type TemplateFault,
  type TemplateWarning,
} from '@postrider/domain';
import type { Answered, Renderer } from '@postrider/rendering';
import { ok, type Reply, refuse } from '../../http/reply.ts';
import { createPayloadCheck, type FindPayloadFaults } from '../../validation/payload-schemas.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { isWorthRetrying, refuseUnprepared } from './render-failure.ts';
import { PREVIEW_BODY_SCHEMA, type PreviewBody } from './schema.ts';

/** Who receives a preview that names no one. */
const RECIPIENT = { email: 'ada@example.com', name: 'Ada Lovelace' };

interface Preview {
  readonly rendered: JsonValue;
  readonly missing: readonly MissingVariable[];
  readonly faults: readonly TemplateFault[];
  readonly warnings: readonly TemplateWarning[];
}

function contextOf(
  { eventKey }: TemplateRecord,
  { recipient = RECIPIENT, payload = {}, event_key = eventKey }: PreviewBody,
  { newId, now }: { readonly newId: IdSource; readonly now: () => Date },
): TemplateContext {
  return {
    event_key,
    recipient,
    payload,
    message_id: formatId('msg', newId()),
    delivery_run_id: formatId('run', newId()),
    timestamp: formatTime(now()),
  };
}

const inBody = <At extends { path: string }>(at: At): At => ({ ...at, path: `/body${at.path}` });

async function renderPreview(
  renderer: Renderer,
  template: TemplateRecord,
  context: TemplateContext,
): Promise<Answered<Preview>> {
  const options = { owner: template.environmentId, part: template.id };
  const { subject, html, text, mjml, body } = template;
  if (template.channelKind === 'email') {
    return renderer.previewEmail({ subject: subject ?? '', html, text, mjml }, context, options);
  }
  const previewed = await renderer.previewJson(body, context, options);
  if (!previewed.ok) return previewed;
  const { rendered, missing, faults } = previewed.answer;
  return {
    ok: true,
    answer: {
      rendered: rendered === undefined ? null : { body: rendered },
      missing: missing.map(inBody),
      faults: faults.map(inBody),
      warnings: [],
    },
  };
}

/** What ingestion would say to the payload: it is no fault of the template. */
async function payloadWarnings(
  db: UnboundDatabase,
  findPayloadFaults: FindPayloadFaults,
  { environmentId, eventKey }: TemplateRecord,
  { payload, event_key = eventKey }: PreviewBody,
): Promise<TemplateWarning[]> {
  if (payload === undefined) return [];
  const eventType = await readEventType(db, { environmentId, eventKey: event_key });
  return findPayloadFaults(eventType?.payloadSchema ?? null, payload).map(({ path, message }) => ({
    code: 'payload_schema_mismatch',
    path,
    message,
  }));
}

/** Always with a line and a column, null where they are not known. */
const placed = (at: MissingVariable | TemplateFault) => ({ line: null, column: null, ...at });

/**
 * POST /admin/v1/templates/{templateId}/preview: what would be sent, by processes of the same kind and within the same
 * limits as a delivery. Nothing is stored and nothing is sent.
 */
export function previewTemplate(
  { db, newId, renderer }: AdminDeps,
  now: () => Date = () => new Date(),
): AdminOperation {
  const findPayloadFaults = createPayloadCheck();
  return withBody<PreviewBody>({
    method: 'POST',
    path: '/admin/v1/templates/:templateId/preview',
    body: 'optional',
    schema: PREVIEW_BODY_SCHEMA,
    run: async (request): Promise<Reply> => {
      const id = idOf(request, 'tpl', 'templateId');
      const template = id && (await readTemplate(db, id));
      if (!template) return refuse('template_not_found');
      const previewed = await renderPreview(
        renderer,
        template,
        contextOf(template, request.body, { newId, now }),
      );
      if (!previewed.ok && isWorthRetrying(previewed)) return refuseUnprepared(previewed);
      const warnings = await payloadWarnings(db, findPayloadFaults, template, request.body);
      const preview: Preview = previewed.ok
        ? previewed.answer
        : { rendered: null, missing: [], faults: [{ path: '', message: previewed.message }], warnings: [] };
      return ok({
        template_id: formatId('tpl', template.id),
        deliverable: preview.missing.length === 0 && preview.faults.length === 0,
        rendered: preview.rendered,
        missing_variables: preview.missing.map(placed),
        errors: preview.faults.map(placed),
        warnings: [...preview.warnings, ...warnings],
      });
    },
  });
}
