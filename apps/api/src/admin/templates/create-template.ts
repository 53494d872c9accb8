import { presentTemplate, createTemplateVersion as store } from '@postrider/db';
import type { TemplateFault } from '@postrider/domain';
import { created, type Detail, type Reply, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { environmentOf } from '../environments/environment-of.ts';
import { type AdminOperation, withBody } from '../operation.ts';
import { refuseUnprepared } from './render-failure.ts';
import { TEMPLATE_BODY_SCHEMA, type TemplateBody, toContent, validateTemplate } from './schema.ts';
import { contentWarnings, deliveryWarnings } from './warnings.ts';

const toDetail = (fault: TemplateFault): Detail => ({ code: 'invalid_template', ...fault });

/**
 * POST /admin/v1/environments/{environmentId}/templates: a new immutable version. It is compiled and checked
 * in a render process, so that no template can hold up the API.
 */
export function createTemplate({ db, newId, renderer }: AdminDeps): AdminOperation {
  return withBody<TemplateBody>({
    method: 'POST',
    path: '/admin/v1/environments/:environmentId/templates',
    schema: TEMPLATE_BODY_SCHEMA,
    validate: validateTemplate,
    run: async (request): Promise<Reply> => {
      const { actor, body } = request;
      const environment = await environmentOf(db, request);
      if (!environment) return refuse('environment_not_found');
      const prepared = await renderer.prepare(toContent(body), {
        owner: environment.id,
        part: body.event_key,
      });
      if (!prepared.ok) return refuseUnprepared(prepared);
      const verdict = prepared.answer;
      if (verdict.outcome === 'faulty') return invalid(verdict.faults.map(toDetail));
      const stored = await store(
        { db, newId, actor },
        {
          environmentId: environment.id,
          eventKey: body.event_key,
          template: verdict.template,
          activate: body.activate ?? false,
        },
      );
      if (stored.outcome === 'environment_not_found') return refuse('environment_not_found');
      const { template } = stored;
      const warnings = [
        ...contentWarnings(template),
        ...(template.active ? await deliveryWarnings(db, template) : []),
      ];
      return created({ ...presentTemplate(template), warnings });
    },
  });
}
