import type { AdminOperationDoc, OperationDoc, PublicOperationDoc } from '../operation-doc.ts';
import { GET_LIMITS, GET_USAGE } from './account.ts';
import { LIST_AUDIT_LOG } from './admin-audit-log.ts';
import {
  CREATE_CHANNEL,
  DELETE_CHANNEL,
  GET_CHANNEL,
  LIST_CHANNELS,
  ROTATE_CHANNEL_SECRET,
  TEST_CHANNEL,
  UPDATE_CHANNEL,
} from './admin-channels.ts';
import { CREATE_ENVIRONMENT, GET_ENVIRONMENT, LIST_ENVIRONMENTS } from './admin-environments.ts';
import { CREATE_ERASURE, GET_ERASURE, LIST_ERASURES } from './admin-erasures.ts';
import { GET_EVENT_TYPE, LIST_EVENT_TYPES, PUT_EVENT_TYPE } from './admin-event-types.ts';
import { GET_ENVIRONMENT_DELIVERIES, GET_ENVIRONMENT_MESSAGE, SEARCH_MESSAGES } from './admin-messages.ts';
import { CREATE_PLAN, GET_PLAN, LIST_PLANS, UPDATE_PLAN } from './admin-plans.ts';
import {
  CANCEL_REPLAY_BATCH,
  CREATE_REPLAY_BATCH,
  GET_REPLAY_BATCH,
  LIST_REPLAY_BATCHES,
} from './admin-replays.ts';
import { GET_SECRETS, REENCRYPT_SECRETS } from './admin-secrets.ts';
import {
  ACTIVATE_TEMPLATE,
  CREATE_TEMPLATE,
  DEACTIVATE_TEMPLATE,
  GET_TEMPLATE,
  LIST_TEMPLATES,
  PREVIEW_TEMPLATE,
} from './admin-templates.ts';
import { CREATE_TENANT, GET_TENANT, LIST_TENANTS, UPDATE_TENANT } from './admin-tenants.ts';
import { ISSUE_TOKEN, LIST_TOKENS, REVOKE_TOKEN, ROTATE_TOKEN } from './admin-tokens.ts';
import { CANCEL_DELIVERY_RUN } from './delivery-runs.ts';
import { CREATE_EVENT } from './events.ts';
import { GET_DELIVERIES, GET_MESSAGE, LIST_MESSAGES, REPLAY_MESSAGE } from './messages.ts';

/** The public API, in the order of the page. */
export const PUBLIC_OPERATION_DOCS: readonly PublicOperationDoc[] = [
  CREATE_EVENT,
  LIST_MESSAGES,
  GET_MESSAGE,
  GET_DELIVERIES,
  REPLAY_MESSAGE,
  CANCEL_DELIVERY_RUN,
  GET_USAGE,
  GET_LIMITS,
];

/** The management API, in the order of the page, which is that of its operations. */
export const ADMIN_OPERATION_DOCS: readonly AdminOperationDoc[] = [
  CREATE_PLAN,
  LIST_PLANS,
  GET_PLAN,
  UPDATE_PLAN,
  CREATE_TENANT,
  LIST_TENANTS,
  GET_TENANT,
  UPDATE_TENANT,
  CREATE_ENVIRONMENT,
  LIST_ENVIRONMENTS,
  GET_ENVIRONMENT,
  ISSUE_TOKEN,
  LIST_TOKENS,
  ROTATE_TOKEN,
  REVOKE_TOKEN,
  CREATE_CHANNEL,
  LIST_CHANNELS,
  GET_CHANNEL,
  UPDATE_CHANNEL,
  DELETE_CHANNEL,
  ROTATE_CHANNEL_SECRET,
  TEST_CHANNEL,
  CREATE_TEMPLATE,
  LIST_TEMPLATES,
  GET_TEMPLATE,
  ACTIVATE_TEMPLATE,
  DEACTIVATE_TEMPLATE,
  PREVIEW_TEMPLATE,
  PUT_EVENT_TYPE,
  LIST_EVENT_TYPES,
  GET_EVENT_TYPE,
  GET_SECRETS,
  REENCRYPT_SECRETS,
  SEARCH_MESSAGES,
  GET_ENVIRONMENT_MESSAGE,
  GET_ENVIRONMENT_DELIVERIES,
  CREATE_REPLAY_BATCH,
  LIST_REPLAY_BATCHES,
  GET_REPLAY_BATCH,
  CANCEL_REPLAY_BATCH,
  CREATE_ERASURE,
  LIST_ERASURES,
  GET_ERASURE,
  LIST_AUDIT_LOG,
];

/** Every operation. */
export const OPERATION_DOCS: readonly OperationDoc[] = [...PUBLIC_OPERATION_DOCS, ...ADMIN_OPERATION_DOCS];
