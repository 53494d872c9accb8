import {
  type ChannelKind,
  type FailurePolicy,
  failurePolicyOf,
  type JsonObject,
  type JsonValue,
  type PinnedPart,
  type RetryPolicy,
} from '@postrider/domain';
import type { SealedCredentials } from '../configure/sealed-credentials.ts';
import { type ClaimedFields, toClaimedFields } from '../message-fields.ts';

export interface ClaimedTemplate {
  readonly id: string;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /** What `html` was compiled from, to say where in it an issue is; null when it was written as HTML. */
  readonly mjml: string | null;
  readonly body: JsonValue;
  readonly envelope: JsonValue;
  /** See `planResources` of the domain. */
  readonly parts: readonly PinnedPart[] | null;
  readonly defaultLocale: string | null;
}

/** The channel as it was at the claim. Secrets are sealed and bound to the channel's id, credentials to their names, too. */
export interface ClaimedChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly config: JsonObject;
  /** Validated when the channel was configured. */
  readonly retry: RetryPolicy;
  readonly failurePolicy: FailurePolicy;
  /** Rises with every change of the channel. */
  readonly revision: number;
  readonly sealedSecret: string | null;
  /** The secret before the last rotation while it still signs, else null. */
  readonly sealedPreviousSecret: string | null;
  /** Null when there are none. */
  readonly sealedCredentials: SealedCredentials | null;
}

/** A run taken under a lease, with all that the delivery needs. Ids are UUIDs. */
export interface ClaimedRun {
  readonly runId: string;
  readonly tenantId: string;
  readonly environmentId: string;
  /** The fence: every later write of this attempt carries it. */
  readonly fence: number;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly timeoutMs: number;
  readonly dueAt: Date;
  /** After this time no attempt begins; null where there is no such time. */
  readonly expiresAt: Date | null;
  /** Its place among the runs of its ordering key, from 1; null when it is not ordered. */
  readonly sequence: number | null;
  /** The `traceparent` that was stored with the run; null when nobody traces it. */
  readonly traceparent: string | null;
  /** When the lease began, by the database's clock. */
  readonly claimedAt: Date;
  readonly message: ClaimedFields & { readonly id: string; readonly createdAt: Date };
  readonly channel: ClaimedChannel;
  readonly template: ClaimedTemplate | null;
}

/** The columns of a claim's answer that make a {@link ClaimedRun}, and those of its message, see `CLAIMED_COLUMNS`. */
export interface ClaimedRow {
  run_id: string;
  tenant_id: string;
  environment_id: string;
  fence: number;
  attempt_count: number;
  max_attempts: number;
  timeout_ms: number;
  due_at: Date;
  replay: number;
  sequence: bigint | null;
  traceparent: string | null;
  now: Date;
  message_id: string;
  message_created_at: Date;
  channel_id: string;
  channel_kind: ChannelKind;
  channel_name: string;
  config: JsonObject;
  retry: RetryPolicy;
  failure_policy: Partial<FailurePolicy> | null;
  revision: number;
  sealed_secret: string | null;
  sealed_previous_secret: string | null;
  sealed_credentials: SealedCredentials | null;
  template_id: string | null;
  subject: string | null;
  html: string | null;
  text: string | null;
  mjml: string | null;
  body: JsonValue;
  envelope: JsonValue;
  template_parts: readonly PinnedPart[] | null;
  default_locale: string | null;
}

/** The run of a row that says that it was claimed. */
export function toClaimedRun(row: ClaimedRow): ClaimedRun {
  const message = toClaimedFields(row);
  return {
    runId: row.run_id,
    tenantId: row.tenant_id,
    environmentId: row.environment_id,
    fence: row.fence,
    attemptNumber: row.attempt_count,
    maxAttempts: row.max_attempts,
    timeoutMs: row.timeout_ms,
    dueAt: row.due_at,
    sequence: row.sequence === null ? null : Number(row.sequence),
    expiresAt: row.replay === 0 ? message.expiresAt : null,
    traceparent: row.traceparent,
    claimedAt: row.now,
    message: { ...message, id: row.message_id, createdAt: row.message_created_at },
    channel: {
      id: row.channel_id,
      kind: row.channel_kind,
      name: row.channel_name,
      config: row.config,
      retry: row.retry,
      failurePolicy: failurePolicyOf(row.failure_policy),
      revision: row.revision,
      sealedSecret: row.sealed_secret,
      sealedPreviousSecret: row.sealed_previous_secret,
      sealedCredentials: row.sealed_credentials,
    },
    template: row.template_id
      ? {
          id: row.template_id,
          subject: row.subject,
          html: row.html,
          text: row.text,
          mjml: row.mjml,
          body: row.body,
          envelope: row.envelope,
          parts: row.template_parts,
          defaultLocale: row.default_locale,
        }
      : null,
  };
}
