import { perRegistry } from '@postrider/channels';
import { attentionResource } from './attention.ts';
import { AUDIT_LOG } from './audit-log.ts';
import { channelsResource } from './channels/operations.ts';
import { configurationResource } from './configuration/operations.ts';
import { CONSOLE } from './console.ts';
import { consumersResource } from './consumers/operations.ts';
import { ENVIRONMENTS } from './environments.ts';
import { ERASURES } from './erasures.ts';
import { EVENT_TYPES } from './event-types.ts';
import { LOOKUP } from './lookup.ts';
import { environmentMessagesResource } from './messages.ts';
import type { AdminResource } from './operation.ts';
import { OPERATORS } from './operators/operators.ts';
import { ROLES } from './operators/roles.ts';
import { OPERATOR_TOKENS } from './operators/tokens.ts';
import { PART_RESOURCES } from './parts/operations.ts';
import { PAUSED_STREAMS } from './paused-streams.ts';
import { plansResource } from './plans.ts';
import { replaysResource } from './replays/operations.ts';
import { SECRETS } from './secrets.ts';
import { SUPPRESSIONS } from './suppressions.ts';
import { templatesResource } from './templates/operations.ts';
import { TENANTS, USAGE } from './tenants.ts';
import { TOKENS } from './tokens.ts';

/**
 * The resources of the management API, in the order of its documentation. The routes, the OpenAPI document and the
 * tests of every operation are derived from this list (CONTRIBUTING.md, "Add an admin resource").
 */
export const adminResources = perRegistry((kinds): readonly AdminResource[] => [
  plansResource(kinds),
  TENANTS,
  USAGE,
  ENVIRONMENTS,
  TOKENS,
  channelsResource(kinds),
  consumersResource(kinds),
  templatesResource(kinds),
  ...PART_RESOURCES,
  EVENT_TYPES,
  configurationResource(kinds),
  environmentMessagesResource(kinds),
  attentionResource(kinds),
  LOOKUP,
  replaysResource(kinds),
  ERASURES,
  SUPPRESSIONS,
  PAUSED_STREAMS,
  SECRETS,
  OPERATORS,
  OPERATOR_TOKENS,
  ROLES,
  CONSOLE,
  AUDIT_LOG,
]);
