import { presentTemplate, switchTemplate as store } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';
import { deliveryWarnings } from './warnings.ts';

function switchTemplate({ db, newId }: AdminDeps, verb: string, active: boolean): AdminOperation {
  return withoutBody({
    method: 'POST',
    path: `/admin/v1/templates/:templateId/${verb}`,
    run: async (request) => {
      const id = idOf(request, 'tpl', 'templateId');
      const stored = id && (await store({ db, newId, actor: request.actor }, id, active));
      if (!stored || stored.outcome === 'not_found') return refuse('template_not_found');
      const { template } = stored;
      return ok({ ...presentTemplate(template), warnings: await deliveryWarnings(db, template) });
    },
  });
}

/**
 * POST /admin/v1/templates/{templateId}/activate: events are delivered with this version from now on. An
 * older version is rolled back to in the same way.
 */
export const activateTemplate = (deps: AdminDeps) => switchTemplate(deps, 'activate', true);

/** POST /admin/v1/templates/{templateId}/deactivate: no version is active, if it was this one. */
export const deactivateTemplate = (deps: AdminDeps) => switchTemplate(deps, 'deactivate', false);
