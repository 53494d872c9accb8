import { presentTemplateSummary, listTemplates as readPage } from '@postrider/db';
import { CHANNEL_KINDS, isEventKey } from '@postrider/domain';
import { ok, refuse } from '../../http/reply.ts';
import { formatCursor } from '../../paging/cursor.ts';
import { presentPage } from '../../paging/page.ts';
import { oneOf, PAGING_PARAMETERS, parseQuery, positionOf } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { environmentOf } from '../environments/environment-of.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';

const QUERY = {
  ...PAGING_PARAMETERS,
  event_key: {
    parse: (text: string) => (isEventKey(text) ? text : null),
    code: 'invalid_format',
    message: 'must be an event key',
  },
  channel_kind: oneOf(CHANNEL_KINDS),
  active: oneOf(['true', 'false']),
} as const;

/**
 * GET /admin/v1/environments/{environmentId}/templates: the versions, newest first, without their contents.
 */
export function listTemplates({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId/templates',
    run: async (request) => {
      const parsed = parseQuery(request.query, QUERY);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const environment = await environmentOf(db, request);
      if (!environment) return refuse('environment_not_found');
      const { event_key: eventKey, channel_kind: channelKind, active } = parsed.values;
      const page = await readPage(db, {
        environmentId: environment.id,
        filter: { eventKey, channelKind, active: active && active === 'true' },
        ...positionOf(parsed.values),
      });
      return ok(presentPage(page, presentTemplateSummary, formatCursor));
    },
  });
}
