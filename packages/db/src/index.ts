export { type CancelOutcome, cancelRun } from './accept/cancel.ts';
export {
  type ChangedRuns,
  cancelMessage,
  outcomeOf,
  type Rescheduled,
  type RescheduledRun,
  rescheduleMessage,
} from './accept/change-message.ts';
export {
  type Accept,
  createAccepting,
  createStoredResponseLookup,
  type FindStoredResponse,
  findResponses,
  IDEMPOTENCY_WAIT_MS,
  idempotencyScope,
  type StoredResponse,
  storeOnlyResponse,
} from './accept/idempotency.ts';
export {
  createIngest,
  type EventToAccept,
  type IngestEvent,
  type IngestOptions,
  type IngestOutcome,
} from './accept/ingest.ts';
export {
  createIngestBatch,
  type EventOutcome,
  type EventsToAccept,
  type IngestBatch,
} from './accept/ingest-batch.ts';
export {
  channelsFor,
  type EventToPlan,
  filteredEvent,
  type PlanIssue,
  type PlannedRuns,
  planRuns,
  type SkippedChannel,
} from './accept/plan-runs.ts';
export { acceptReplay, createReplay, type ReplayOutcome, type ReplayToAccept } from './accept/replay.ts';
export { type DraftedRuns, draftRuns } from './accept/runs.ts';
export {
  acceptTestSend,
  readTestTarget,
  type TestSend,
  type TestSendOutcome,
  type TestTarget,
} from './accept/test-send.ts';
export type * from './accept/types.ts';
export { createBatcher, type ObserveBatch } from './batcher.ts';
export {
  acrossEnvironments,
  type Database,
  databaseErrorCodes,
  isDatabaseUnreachable,
  isTransactionConflict,
  type OpenedDatabase,
  openDatabase,
  openPooledDatabase,
  type PoolUse,
  type Queryable,
  type UnboundDatabase,
} from './client.ts';
export {
  type Actor,
  AUDITED_RESOURCES,
  type AuditedChange,
  type AuditedResource,
  recordAudit,
  SERVICE_ACTORS,
  type WriteAudit,
} from './configure/audit.ts';
export { type ConfigureDeps, inTransaction, type Page, type PageRequest } from './configure/change.ts';
export {
  type ChangeChannelOutcome,
  type ChannelChange,
  changeChannel,
  type DeleteChannelOutcome,
  deleteChannel,
  type RotateChannelSecretOutcome,
  rotateChannelSecret,
} from './configure/change-channel.ts';
export { type LockedChannel, listChannels, lockChannel, readChannel } from './configure/channel-record.ts';
export {
  type ChannelInput,
  type CreateChannelOutcome,
  channelsTaking,
  createChannel,
  type WithKinds,
} from './configure/channels.ts';
export {
  type CreateEnvironmentOutcome,
  changeEnvironment,
  createEnvironment,
  findPlaintextChannels,
  listEnvironments,
  lockEnvironment,
  readEnvironment,
} from './configure/environments.ts';
export {
  type EventTypeInput,
  listEventTypes,
  type PutEventTypeOutcome,
  putEventType,
  readEventType,
} from './configure/event-types.ts';
export { readPartsOf, resolveChosenParts } from './configure/parts/active-parts.ts';
export {
  activatePart,
  type ChangePartOutcome,
  createPartVersion,
  listParts,
  type NewPartVersion,
  readPart,
} from './configure/parts/parts.ts';
export {
  type CreatePlanOutcome,
  changePlan,
  createPlan,
  listPlans,
  lockPlan,
  readPlan,
} from './configure/plans.ts';
export {
  createLazyReseal,
  type ReencryptOutcome,
  type ReencryptProgress,
  reencryptSecrets,
  type SealedSecrets,
} from './configure/reencrypt-secrets.ts';
export {
  DEMO_ENVIRONMENT,
  type DemoSettings,
  seedDemo,
} from './configure/seed.ts';
export {
  type CreateTemplateOutcome,
  createTemplateVersion,
  listTemplates,
  type NewTemplateVersion,
  readTemplate,
  type SwitchTemplateOutcome,
  switchTemplate,
  type TemplateFilter,
} from './configure/templates.ts';
export {
  type ChangeTenantOutcome,
  type CreateTenantOutcome,
  changeTenant,
  createTenant,
  listTenants,
  lockTenant,
  readTenant,
} from './configure/tenants.ts';
export {
  type IssuedToken,
  type IssueTokenOutcome,
  issueToken,
  listTokens,
  type RevokeTokenOutcome,
  type RotateTokenOutcome,
  revokeToken,
  rotateToken,
} from './configure/tokens.ts';
export {
  deleteExpiredConsoleSessions,
  endConsoleSession,
  findConsoleSessions,
  issueConsoleLink,
  listConsoleSessions,
  noteConsoleSessionUse,
  openConsoleSession,
  redeemConsoleLink,
  type SessionOwner,
  type UsableSession,
} from './console/sessions.ts';
export { createDatabaseClock, type DatabaseClock, dated } from './database-clock.ts';
export {
  type ClaimOutcome,
  type ClaimRequest,
  type ClaimRun,
  createClaim,
  isTakenByClaim,
  LEASE_MARGIN_MS,
} from './deliver/claim.ts';
export type { ClaimedChannel, ClaimedRun, ClaimedTemplate } from './deliver/claimed-run.ts';
export {
  createRunLookup,
  type FindRunToDeliver,
  findDueRunsOfChannel,
  type RunChannel,
  type RunToDeliver,
} from './deliver/find-channels.ts';
export {
  type AttemptResult,
  createFinish,
  type FinishAttempt,
  type FinishOutcome,
  type FinishRequest,
  type NextState,
  type SentContent,
} from './deliver/finish.ts';
export { finishWithGoneChannel, type GoneChannel } from './deliver/gone-channel.ts';
export { noteSent, type SentNote } from './deliver/note-sent.ts';
export { readOpenSenders, readSenderStates, recordSenderState } from './deliver/sender-states.ts';
export { type ErasureDeps, type ErasurePageOutcome, erasePage } from './erasures/erase-page.ts';
export { createErasure, findOpenErasures, listErasures, readErasure } from './erasures/erasure.ts';
export {
  type FeedbackDeps,
  type FeedbackToRecord,
  type RecordedFeedback,
  recordFeedback,
} from './feedback/record.ts';
export {
  createFeedbackChannelLookup,
  type FeedbackChannel,
  type RotateFeedbackTokenOutcome,
  rotateFeedbackToken,
} from './feedback/token.ts';
export { switchChannel } from './health/pause.ts';
export { countPaused } from './health/read.ts';
export * from './health/release.ts';
export { type SettleDeps, settleHealth } from './health/settle.ts';
export * from './limits/claim-within.ts';
export * from './limits/waiting.ts';
export { LARGE_MESSAGE_FIELDS, type LargeMessageField, type NewMessage } from './message-fields.ts';
export { type FilePlace, readMessageFile } from './message-files.ts';
export { migrate, pendingMigrations, supersededIndexes } from './migrate.ts';
export {
  dispatchOperationalEvents,
  removeOldOperationalEvents,
} from './operational/dispatch.ts';
export { emitOperational, type OperationalEvent } from './operational/emit.ts';
export {
  EXPIRING_SECRET_TYPES,
  type ExpiringSecret,
  type ExpiringSecretType,
  reportExpiringSecrets,
} from './operational/expiring-secrets.ts';
export {
  type BlockedKey,
  listBlockedKeys,
  type UnblockOutcome,
  unblockKey,
} from './ordering/blocked.ts';
export { forgetIdleKeys, KEY_IDLE_DAYS } from './ordering/forget.ts';
export { type OrderingKey, placeDueRuns, settleOrder } from './ordering/settle.ts';
export { endLostRun, findQuarantinedRuns, type LostRunOutcome } from './quarantine/lost-runs.ts';
export { type AuditEntryRecord, type AuditFilter, listAuditEntries } from './read/audit-log.ts';
export { BACKLOG_COUNT_LIMIT, type Backlog, readBacklog } from './read/backlog.ts';
export {
  type AttemptRecord,
  type DeliveryRunRecord,
  MAX_DELIVERIES,
  readDeliveries,
} from './read/deliveries.ts';
export {
  CHANNEL_REASONS,
  type ChannelExplanation,
  explainChannels,
} from './read/explain-channels.ts';
export { type FilterTrial, TRIAL_MESSAGES, tryFilterOnMessages } from './read/filter-trial.ts';
export {
  findByLookup,
  LOOKUP_TYPES,
  type Lookup,
  type LookupResult,
  MAX_LOOKUP_RESULTS,
} from './read/lookup.ts';
export type { MessageCount } from './read/message-search.ts';
export {
  listMessages,
  type MessagePage,
  type MessageRecord,
  readMessage,
} from './read/messages.ts';
export { findPartContents, readResources, type StoredPartContent } from './read/part-contents.ts';
export type { RunOfMessage, RunSummary } from './read/run-summaries.ts';
export { readSecretKeys, type SecretKey } from './read/secret-keys.ts';
export { readSentAttempt, type SentAttempt } from './read/sent-content.ts';
export { createSigningKeysLookup, type SealedSigningKeys } from './read/signing-keys.ts';
export { type DeliveryCounts, readUsage, readUsageMonths, type UsageRecord } from './read/usage.ts';
export { findOpenReplayBatches, listReplayBatches, readReplayBatch } from './replay-batches/batches.ts';
export {
  type CancelReplayBatchOutcome,
  type CreateReplayBatchOutcome,
  cancelReplayBatch,
  createReplayBatch,
  findUsableChannels,
  previewReplay,
  type ReplayBatchInput,
} from './replay-batches/change-batch.ts';
export { MAX_OPEN_REPLAY_RUNS } from './replay-batches/page-bounds.ts';
export { type ReplayPageDeps, type ReplayPageOutcome, replayPage } from './replay-batches/replay-page.ts';
export { type RetentionOutcome, removeExpiredMessages } from './retention/remove-expired.ts';
export { environmentScope } from './scope/environment-scope.ts';
export { APP_ROLES, type AppRole } from './scope/grants.ts';
export { changeInEnvironments, readInEnvironments } from './scope/in-environments.ts';
export { CONNECT_QUERY_SETTINGS, findSessionWarning } from './session-settings.ts';
export { type ConfigListener, listenForConfig } from './snapshot/listen.ts';
export type { ChannelSnapshot, EnvironmentSnapshot, TokenSnapshot } from './snapshot/load.ts';
export { createSnapshots, SNAPSHOT_MAX_AGE_MS, type Snapshots } from './snapshot/snapshots.ts';
export { createTokenUses, type TokenUses } from './snapshot/token-uses.ts';
export { type Attention, readAttention } from './stats/attention.ts';
export { foldStats, removeOldStats } from './stats/fold.ts';
export {
  readStats,
  STATS_GROUPS,
  STATS_INTERVALS,
  type StatsFigures,
  type StatsGroup,
  type StatsInterval,
} from './stats/read.ts';
export { readStream, type StreamChange, type WatchedPlace } from './stream/read.ts';
export {
  type AddSuppressionOutcome,
  addSuppression,
  type ImportSuppressionsOutcome,
  importSuppressions,
  listSuppressions,
  removeSuppression,
  type SuppressionInput,
} from './suppressions/list.ts';
export {
  createAddressHashKey,
  createServiceKeys,
  ServiceKeyLost,
  type ServiceKeySource,
} from './suppressions/service-keys.ts';
export { type NewSuppression, type SuppressDeps, suppress, suppressAll } from './suppressions/suppress.ts';
export {
  findSubscription,
  resubscribe,
  type Subscription,
  unsubscribe,
} from './suppressions/unsubscribe.ts';
export {
  UNSUBSCRIBE_PATH,
  type UnsubscribeUrl,
  type UnsubscribeUrlDeps,
  unsubscribeUrlOf,
} from './suppressions/unsubscribe-url.ts';
export { endRunsOfDeletedChannels, noteEndedChannels } from './sweep/end-channels.ts';
export { deleteExpiredAnswers, eraseExpiredSecrets } from './sweep/expire.ts';
export { findOverdueRuns, findUpcomingRuns, type OverdueRun, type RunCursor } from './sweep/find-runs.ts';
export { type ReleasedRun, releaseExpiredLeases } from './sweep/release-leases.ts';
