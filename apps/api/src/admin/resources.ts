import { AUDIT_LOG } from './audit-log/operations.ts';
import { CHANNELS } from './channels/operations.ts';
import { ENVIRONMENTS } from './environments/operations.ts';
import { ERASURES } from './erasures/operations.ts';
import { EVENT_TYPES } from './event-types/operations.ts';
import { ENVIRONMENT_MESSAGES } from './messages/operations.ts';
import type { AdminResource } from './operation.ts';
import { PLANS } from './plans/operations.ts';
import { REPLAYS } from './replays/operations.ts';
import { SECRETS } from './secrets/operations.ts';
import { TEMPLATES } from './templates/operations.ts';
import { TENANTS } from './tenants/operations.ts';
import { TOKENS } from './tokens/operations.ts';

/**
 * The management API, in the order of its page. The routes, the OpenAPI document and the tests of every operation are
 * derived from this list: see CONTRIBUTING.md, "Add an admin resource".
 */
export const ADMIN_RESOURCES: readonly AdminResource[] = [
  PLANS,
  TENANTS,
  ENVIRONMENTS,
  TOKENS,
  CHANNELS,
  TEMPLATES,
  EVENT_TYPES,
  ENVIRONMENT_MESSAGES,
  REPLAYS,
  ERASURES,
  SECRETS,
  AUDIT_LOG,
];
