import { listAuditLog } from './audit-log/list-audit-log.ts';
import { createChannel } from './channels/create-channel.ts';
import { deleteChannel } from './channels/delete-channel.ts';
import { getChannel } from './channels/get-channel.ts';
import { listChannels } from './channels/list-channels.ts';
import { rotateChannelSecret } from './channels/rotate-channel-secret.ts';
import { testChannel } from './channels/test-channel.ts';
import { updateChannel } from './channels/update-channel.ts';
import type { AdminDeps } from './deps.ts';
import { createEnvironment } from './environments/create-environment.ts';
import { getEnvironment } from './environments/get-environment.ts';
import { listEnvironments } from './environments/list-environments.ts';
import { createErasure } from './erasures/create-erasure.ts';
import { getErasure } from './erasures/get-erasure.ts';
import { listErasures } from './erasures/list-erasures.ts';
import { getEventType } from './event-types/get-event-type.ts';
import { listEventTypes } from './event-types/list-event-types.ts';
import { putEventType } from './event-types/put-event-type.ts';
import { getEnvironmentDeliveries } from './messages/get-deliveries.ts';
import { getEnvironmentMessage } from './messages/get-message.ts';
import { searchMessages } from './messages/search-messages.ts';
import type { AdminOperation } from './operation.ts';
import { createPlan } from './plans/create-plan.ts';
import { getPlan } from './plans/get-plan.ts';
import { listPlans } from './plans/list-plans.ts';
import { updatePlan } from './plans/update-plan.ts';
import { cancelReplayBatch } from './replays/cancel-replay-batch.ts';
import { createReplayBatch } from './replays/create-replay-batch.ts';
import { getReplayBatch } from './replays/get-replay-batch.ts';
import { listReplayBatches } from './replays/list-replay-batches.ts';
import { getSecrets } from './secrets/get-secrets.ts';
import { reencryptSecrets } from './secrets/reencrypt-secrets.ts';
import { createTemplate } from './templates/create-template.ts';
import { getTemplate } from './templates/get-template.ts';
import { listTemplates } from './templates/list-templates.ts';
import { previewTemplate } from './templates/preview-template.ts';
import { activateTemplate, deactivateTemplate } from './templates/switch-template.ts';
import { createTenant } from './tenants/create-tenant.ts';
import { getTenant } from './tenants/get-tenant.ts';
import { listTenants } from './tenants/list-tenants.ts';
import { updateTenant } from './tenants/update-tenant.ts';
import { issueToken } from './tokens/issue-token.ts';
import { listTokens } from './tokens/list-tokens.ts';
import { revokeToken } from './tokens/revoke-token.ts';
import { rotateToken } from './tokens/rotate-token.ts';

/** Every operation of the management API, in the order of its page: contract section 8. */
export function createAdminOperations(deps: AdminDeps): readonly AdminOperation[] {
  return [
    createPlan(deps),
    listPlans(deps),
    getPlan(deps),
    updatePlan(deps),
    createTenant(deps),
    listTenants(deps),
    getTenant(deps),
    updateTenant(deps),
    createEnvironment(deps),
    listEnvironments(deps),
    getEnvironment(deps),
    issueToken(deps),
    listTokens(deps),
    rotateToken(deps),
    revokeToken(deps),
    createChannel(deps),
    listChannels(deps),
    getChannel(deps),
    updateChannel(deps),
    deleteChannel(deps),
    rotateChannelSecret(deps),
    testChannel(deps),
    createTemplate(deps),
    listTemplates(deps),
    getTemplate(deps),
    activateTemplate(deps),
    deactivateTemplate(deps),
    previewTemplate(deps),
    putEventType(deps),
    listEventTypes(deps),
    getEventType(deps),
    getSecrets(deps),
    reencryptSecrets(deps),
    searchMessages(deps),
    getEnvironmentMessage(deps),
    getEnvironmentDeliveries(deps),
    createReplayBatch(deps),
    listReplayBatches(deps),
    getReplayBatch(deps),
    cancelReplayBatch(deps),
    createErasure(deps),
    listErasures(deps),
    getErasure(deps),
    listAuditLog(deps),
  ];
}
