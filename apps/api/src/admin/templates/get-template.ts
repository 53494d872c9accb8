import { presentTemplate, readTemplate } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/** GET /admin/v1/templates/{templateId}: a version with its content. */
export function getTemplate({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/templates/:templateId',
    run: async (request) => {
      const id = idOf(request, 'tpl', 'templateId');
      const template = id && (await readTemplate(db, id));
      return template ? ok(presentTemplate(template)) : refuse('template_not_found');
    },
  });
}
