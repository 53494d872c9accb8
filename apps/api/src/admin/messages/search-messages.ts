import { ATTEMPT_ERROR_CODES, CHANNEL_KINDS, RUN_STATUSES } from '@postrider/domain';
import { refuse } from '../../http/reply.ts';
import { filterOf, LIST_QUERY_PARAMETERS } from '../../messages/list-query.ts';
import { messagePage } from '../../messages/message-page.ts';
import { idParameter, oneOf, parseQuery, positionOf } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { environmentOf } from '../environments/environment-of.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';

const QUERY = {
  ...LIST_QUERY_PARAMETERS,
  run_status: oneOf(RUN_STATUSES),
  channel_id: idParameter('chn'),
  channel_kind: oneOf(CHANNEL_KINDS),
  error_code: oneOf(ATTEMPT_ERROR_CODES),
} as const;

/** GET /admin/v1/environments/{environmentId}/messages: the messages that match, newest first, by keyset. */
export function searchMessages({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId/messages',
    run: async (request) => {
      const parsed = parseQuery(request.query, QUERY);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const environment = await environmentOf(db, request);
      if (!environment) return refuse('environment_not_found');
      const { values } = parsed;
      const filter = {
        ...filterOf(values),
        runStatus: values.run_status,
        channelId: values.channel_id,
        channelKind: values.channel_kind,
        errorCode: values.error_code,
      };
      const { fields } = values;
      return messagePage(db, { environmentId: environment.id, filter, fields, ...positionOf(values) });
    },
  });
}
