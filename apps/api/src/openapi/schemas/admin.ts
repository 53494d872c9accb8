import type { Schema } from '../schema-object.ts';
import { AUDIT_LOG_SCHEMAS } from './admin-audit-log.ts';
import { CHANNEL_SCHEMAS } from './admin-channels.ts';
import { ERASURE_SCHEMAS } from './admin-erasures.ts';
import { EVENT_TYPE_SCHEMAS } from './admin-event-types.ts';
import { PLAN_SCHEMAS } from './admin-plans.ts';
import { REPLAY_SCHEMAS } from './admin-replays.ts';
import { SECRET_SCHEMAS } from './admin-secrets.ts';
import { TEMPLATE_SCHEMAS } from './admin-templates.ts';
import { TENANT_SCHEMAS } from './admin-tenants.ts';
import { TOKEN_SCHEMAS } from './admin-tokens.ts';

/** What the management API answers with: contract section 8. One file per resource. */
export const ADMIN_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...PLAN_SCHEMAS,
  ...TENANT_SCHEMAS,
  ...TOKEN_SCHEMAS,
  ...TEMPLATE_SCHEMAS,
  ...EVENT_TYPE_SCHEMAS,
  ...CHANNEL_SCHEMAS,
  ...SECRET_SCHEMAS,
  ...REPLAY_SCHEMAS,
  ...ERASURE_SCHEMAS,
  ...AUDIT_LOG_SCHEMAS,
};
