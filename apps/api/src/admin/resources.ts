import { perRegistry } from '@postrider/channels';
import { AUDIT_LOG } from './audit-log/operations.ts';
import { channelsResource } from './channels/operations.ts';
import { ENVIRONMENTS } from './environments/operations.ts';
import { ERASURES } from './erasures/operations.ts';
import { EVENT_TYPES } from './event-types/operations.ts';
import { environmentMessagesResource } from './messages/operations.ts';
import type { AdminResource } from './operation.ts';
import { plansResource } from './plans/operations.ts';
import { replaysResource } from './replays/operations.ts';
import { SECRETS } from './secrets/operations.ts';
import { templatesResource } from './templates/operations.ts';
import { TENANTS } from './tenants/operations.ts';
import { TOKENS } from './tokens/operations.ts';

/**
 * The management API, in the order of its page. The routes, the OpenAPI document and the tests of every operation are
 * derived from this list: see CONTRIBUTING.md, "Add an admin resource".
 */
export const adminResources = perRegistry((kinds): readonly AdminResource[] => [
  plansResource(kinds),
  TENANTS,
  ENVIRONMENTS,
  TOKENS,
  channelsResource(kinds),
  templatesResource(kinds),
  EVENT_TYPES,
  environmentMessagesResource(kinds),
  replaysResource(kinds),
  ERASURES,
  SECRETS,
  AUDIT_LOG,
]);
