import type { EnvironmentSnapshot, PlanIssue } from '@postrider/db';
import { type Detail, type JsonObject, namesAddress } from '@postrider/domain';

const DAY_MS = 86_400_000;

/** The issue of an event that would expire before it is sent. */
export function expiryIssues(
  { scheduleAt, expiresAt }: { readonly scheduleAt: Date | null; readonly expiresAt: Date },
  { databaseNow }: EnvironmentSnapshot,
): Detail[] {
  const path = '/expires_at';
  if (expiresAt <= databaseNow()) return [{ path, code: 'invalid_value', message: 'must be in the future' }];
  if (scheduleAt === null || expiresAt > scheduleAt) return [];
  return [{ path, code: 'invalid_value', message: 'must be after schedule_at' }];
}

/** The issue of an ordering key with the recipient's address in it, which an erasure would leave. */
export function orderingKeyIssues(orderingKey: string, recipient: JsonObject | null): Detail[] {
  const email = recipient?.email;
  if (typeof email !== 'string' || email === '') return [];
  if (!namesAddress(orderingKey, email)) return [];
  return [
    {
      path: '/ordering_key',
      code: 'invalid_value',
      message:
        "must not contain the recipient's address, because it stays when their data is erased: use an id",
    },
  ];
}

/** The issue of an event of an unknown consumer, unless the environment creates it. */
export function unknownConsumerIssues({ settings }: EnvironmentSnapshot): Detail[] {
  if (settings.unknownConsumers === 'create') return [];
  return [
    {
      path: '/consumer',
      code: 'unknown_consumer',
      message: 'is not a consumer of this environment: create it, or let the environment create unknown ones',
    },
  ];
}

/** The issue of a time that is further ahead than the plan allows. */
export function scheduleIssues(scheduleAt: Date, { plan, databaseNow }: EnvironmentSnapshot): Detail[] {
  if (plan.maxScheduleDays === null) return [];
  if (scheduleAt.getTime() <= databaseNow().getTime() + plan.maxScheduleDays * DAY_MS) return [];
  return [
    {
      path: '/schedule_at',
      code: 'schedule_too_far',
      message: `must not be more than ${plan.maxScheduleDays} days ahead`,
    },
  ];
}

/** The issue of an event that would have no run. */
export function noChannelTakes(eventKey: string): Detail {
  return {
    path: '/event_key',
    code: 'no_matching_channel',
    message: `no enabled channel takes ${eventKey}`,
  };
}

/** The issue of a plan as a detail of a 422 (docs/specification.md, "Channel matching"). */
export function toDetail(issue: PlanIssue, eventKey: string): Detail {
  switch (issue.code) {
    case 'template_not_found':
      return {
        path: '/event_key',
        code: 'template_not_found',
        message: `no ${issue.kind} template is active for ${eventKey}`,
      };
    case 'too_large_for_filters':
      return {
        path: '/payload',
        code: 'too_large',
        message: 'is too large for the filters of the channels: shorten its lists, or simplify the filters',
      };
    case 'recipient_field_missing':
      return {
        path: `/recipient/${issue.field}`,
        code: 'required',
        message: `is required, because a channel of the kind ${issue.kind} takes this event`,
      };
  }
}
