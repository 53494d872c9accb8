import type { UnboundDatabase } from '@postrider/db';
import { formatId, type IdPrefix } from '@postrider/domain';
import type { Filled } from './fill.ts';
import type { Values } from './operations.ts';

const DAY_MS = 86_400_000;
const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();

/** The values that operations are called with, from the rows of the installation. */
export function valuesFor(db: UnboundDatabase, { environments }: Filled, adminToken: string): Values {
  const [large, other] = environments;
  if (!large || !other) throw new Error('the installation has no environments');
  const environmentId = formatId('env', large.environmentId);
  const channelId = formatId('chn', large.channels[0]?.id ?? '');
  const newest = async (prefix: IdPrefix, table: string, condition: string): Promise<string> => {
    const [row] = await db.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM ${table} WHERE environment_id = '${large.environmentId}' AND ${condition} ORDER BY id DESC LIMIT 1`,
    );
    return formatId(prefix, row?.id ?? large.environmentId);
  };
  const ofPart = (prefix: IdPrefix, type: string) => () =>
    newest(prefix, 'template_parts', `type = '${type}'`);
  const scheduledRun = () => newest('run', 'delivery_runs', "status = 'scheduled'");
  const scheduled = async () => {
    const [row] = await db.$queryRaw<{ id: string }[]>`
      SELECT message_id AS id FROM delivery_runs
       WHERE environment_id = ${large.environmentId}::uuid AND status = 'scheduled' ORDER BY id DESC LIMIT 1`;
    return formatId('msg', row?.id ?? large.environmentId);
  };
  const event = { event_key: 'order.e1', recipient: { email: 'user7@example.com' }, payload: { order: 7 } };
  return {
    adminToken,
    token: large.token,
    path: {
      tenantId: () => formatId('ten', large.tenantId),
      environmentId: () => environmentId,
      code: () => large.planCode ?? '',
      channelId: () => channelId,
      eventKey: () => 'order.e9',
      messageId: () => newest('msg', 'messages', 'NOT test AND erased_at IS NULL'),
      'rescheduleMessage.messageId': scheduled,
      'rescheduleEnvironmentMessage.messageId': scheduled,
      'cancelDeliveryRun.deliveryRunId': scheduledRun,
      'cancelEnvironmentDeliveryRun.deliveryRunId': scheduledRun,
      'rotateChannelFeedbackToken.channelId': () => formatId('chn', other.channels[1]?.id ?? ''),
      deliveryRunId: () => newest('run', 'delivery_runs', "channel_kind = 'email' AND attempt_count > 0"),
      // The token in use stays valid.
      tokenId: () => formatId('tok', other.tokenId),
      templateId: () => newest('tpl', 'template_versions', 'true'),
      layoutId: ofPart('lay', 'layout'),
      partialId: ofPart('prt', 'partial'),
      translationId: ofPart('trn', 'translation'),
      replayId: () => newest('rpb', 'replay_batches', 'true'),
      erasureId: () => newest('era', 'erasures', 'true'),
      suppressionId: () => newest('sup', 'suppressions', 'true'),
      stream: () => 'news',
      consoleSessionId: () => formatId('ses', large.environmentId),
      // No operator, token or role has these.
      operatorId: () => formatId('opr', large.environmentId),
      operatorTokenId: () => formatId('otk', large.environmentId),
      roleCode: () => 'no-such-role',
      consumer: () => 'org_42',
    },
    query: {
      limit: ['100'],
      cursor: [],
      fields: ['id'],
      event_key: ['order.e1', 'no.such'],
      status: ['failed', 'delivered', 'pending', 'cancelled'],
      run_status: ['failed', 'queued', 'scheduled', 'retrying'],
      recipient_email: ['erased@example.com', 'User5@example.com', 'nobody@example.com'],
      created_after: [at(20)],
      run_ended_after: [at(20)],
      started_after: [at(20)],
      outcome: ['failed', 'succeeded'],
      created_before: [at(20)],
      channel_id: [channelId],
      channel_kind: ['email', 'webhook', 'kafka'],
      error_code: ['webhook_http_error', 'webhook_timeout'],
      explain: ['channels'],
      consumer: ['org_42', 'nobody'],
      search: ['org', 'Acme'],
      order: ['newest', 'state'],
      needs_action: ['true', 'false'],
      operator_id: [formatId('opr', large.environmentId)],
      attempt: ['1'],
      months: ['120'],
      active: ['true'],
      part: ['layout:shop'],
      name: ['shop'],
      locale: ['de'],
      email: ['user7@example.com'],
      q: [
        'request-150',
        'erased@example.com',
        '0af7651916cd43dd8448eb211c80319c',
        'order 150',
        'web',
        '0123456',
      ],
      tenant_id: [formatId('ten', large.tenantId)],
      environment_id: [environmentId],
      resource_type: ['plan', 'channel'],
      resource_id: ['resource-150'],
      actor: ['ada', 'admin', 'nobody'],
      action: ['plan.created', 'channel.updated', 'tenant.updated'],
      after: ['1'],
      expected_head: [`1:${'0'.repeat(64)}`],
      interval: ['minute', 'hour'],
      group_by: ['channel', 'channel_kind', 'sender', 'event_key', 'stream', 'error_code'],
      from: [at(1)],
      to: [at(0)],
    },
    bodies: {
      createEvent: event,
      createEnvironmentEvent: event,
      createReplayBatch: { filter: { event_key: 'order.e1' }, messages_per_second: 500 },
      createErasure: { email: 'erased@example.com' },
      'createErasure by id': { recipient_id: 'u-5' },
      replayMessage: {},
      replayEnvironmentMessage: {},
      updateChannel: { name: 'hook of the shop' },
      updatePlan: { name: 'Renamed' },
      updateTenant: { name: 'Renamed' },
    },
  };
}
