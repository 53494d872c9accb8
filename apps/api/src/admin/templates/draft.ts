import type { ChannelRegistry } from '@postrider/channels';
import { type JsonObject, usesOf } from '@postrider/domain';
import { MEMORY } from '../../http/memory.ts';
import type { Reply } from '../../http/reply.ts';
import { ref } from '../../openapi/schema.ts';
import { invalid } from '../../validation/body.ts';
import { ENVIRONMENT } from '../environments.ts';
import { withBody } from '../operation.ts';
import { createRenderPreview, PREVIEW_EXAMPLE, refuseUnprepared, resolveParts } from './preview.ts';
import {
  createDraftValidator,
  draftBodySchema,
  examplesOf,
  TEMPLATES_PATH,
  toContent,
  toDetail,
} from './schema.ts';

/** The same examples without fields that only stored versions have. */
const draftExamplesOf = (registry: ChannelRegistry) =>
  Object.fromEntries(
    Object.entries(examplesOf(registry)).map(([name, { summary, value }]) => {
      const { activate: _activate, ...draft } = value as JsonObject;
      return [name, { summary, value: draft }];
    }),
  );

/** The fields of other formats are null. */
const NO_CONTENT = { subject: null, html: null, text: null, mjml: null, body: null, envelope: null };

/** Previews a template before it is stored. */
export const previewDraftWith = (kinds: ChannelRegistry) =>
  withBody({
    path: `${TEMPLATES_PATH}/preview-draft`,
    operationId: 'previewTemplateDraft',
    scope: 'templates:read',
    memory: MEMORY.page,
    summary: 'Preview a template that is not stored',
    description:
      'Checks a template like its creation, and renders it like the preview of a version. Nothing ' +
      'is stored or sent.',
    body: {
      schema: draftBodySchema(kinds),
      validate: createDraftValidator(kinds),
      examples: draftExamplesOf(kinds),
    },
    success: {
      status: 200,
      schema: ref('TemplatePreview'),
      example: { ...PREVIEW_EXAMPLE, template_id: null },
    },
    of: ENVIRONMENT,
    setUp: createRenderPreview,
    run: async (request, deps, render): Promise<Reply> => {
      const { body, found: environment } = request;
      const prepared = await deps.renderer.prepare(toContent(kinds, body), {
        owner: environment.tenantId,
        part: environment.id,
      });
      if (!prepared.ok) return refuseUnprepared(prepared);
      const checked = prepared.answer;
      if (checked.outcome === 'invalid') return invalid(checked.issues.map(toDetail));
      const { recipient, payload, locale, parts = [] } = body;
      const { references } = checked;
      const source = { environmentId: environment.id, uses: usesOf(references), parts: null };
      const resolved = await resolveParts(deps.db, { ...source, references }, parts);
      if ('refusal' in resolved) return resolved.refusal;
      return render(
        {
          ...NO_CONTENT,
          ...checked.template,
          id: null,
          environmentId: environment.id,
          eventKey: body.event_key,
          channelKind: body.channel_kind,
          parts: resolved.parts,
          defaultLocale: environment.defaultLocale,
        },
        { ...(recipient && { recipient }), ...(payload && { payload }), ...(locale && { locale }) },
      );
    },
  });
