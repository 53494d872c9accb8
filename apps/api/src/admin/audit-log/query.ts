import { AUDITED_RESOURCES } from '@postrider/db';
import { idParameter, oneOf, PAGING_PARAMETERS, type Parameter, TIME } from '../../paging/query.ts';
import { isActorName } from '../authenticate.ts';

/** Public ids, codes and event keys; what else there is would be refused by Postgres or match nothing. */
const RESOURCE_ID = /^[\x21-\x7e]{1,255}$/;
/** `channel.updated` and the like. */
const ACTION = /^[a-z_]{1,64}\.[a-z_]{1,64}$/;

function matching(matches: (text: string) => boolean, message: string): Parameter<string> {
  return { parse: (text) => (matches(text) ? text : null), code: 'invalid_format', message };
}

/** The query parameters of the audit log. */
export const AUDIT_LOG_PARAMETERS = {
  ...PAGING_PARAMETERS,
  tenant_id: idParameter('ten'),
  environment_id: idParameter('env'),
  resource_type: oneOf(AUDITED_RESOURCES),
  resource_id: matching((text) => RESOURCE_ID.test(text), 'must be the id, code or key of a resource'),
  actor: matching(isActorName, 'must be 1 to 128 visible ASCII characters'),
  action: matching((text) => ACTION.test(text), 'must be an action such as channel.updated'),
  created_after: TIME,
  created_before: TIME,
} as const;
