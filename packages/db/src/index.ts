export * from './accept/change-message.ts';
export {
  acceptInEnvironment,
  createStoredResponseLookup,
  type FindStoredResponse,
  IDEMPOTENCY_WAIT_MS,
  storeResponse,
} from './accept/idempotency.ts';
export {
  createIngest,
  type EventToAccept,
  type IngestEvent,
  type IngestOptions,
  type IngestOutcome,
} from './accept/ingest.ts';
export * from './accept/ingest-batch.ts';
export type { QuotaExceeded } from './accept/quota.ts';
export * from './accept/replay.ts';
export {
  type Creation,
  channelsFor,
  draftRuns,
  type PlanIssue,
  type PlannedRun,
  type PlannedRuns,
  planRuns,
  type RunWakeUp,
  type SkippedChannel,
  usableChannels,
} from './accept/runs.ts';
export * from './accept/test-send.ts';
export { chainAuditEntries } from './audit/chain.ts';
export * from './audit/verify.ts';
export { createBatcher, type Linger, type ObserveBatch } from './batcher.ts';
export {
  isChannelPosition,
  listChannels,
  lockChannel,
  readChannel,
  withState,
} from './channels/channel-record.ts';
export {
  type ConsumerKey,
  consumerSince,
  listConsumers,
  readConsumer,
  readConsumerUsage,
} from './channels/consumer-record.ts';
export { countPaused } from './channels/health.ts';
export * from './channels/sender-states.ts';
export {
  type AnyClient,
  acrossEnvironments,
  type Database,
  databaseErrorCodes,
  describeDatabaseError,
  describeOutage,
  isDatabaseUnreachable,
  isTransactionConflict,
  type OpenedDatabase,
  openDatabase,
  openPooledDatabase,
  type Queryable,
  TOGETHER_LIMIT_MS,
  type UnboundDatabase,
  withinEnvironment,
} from './client.ts';
export * from './configure/change-channel.ts';
export { type ChannelInput, channelsTaking, createChannel, type WithKinds } from './configure/channels.ts';
export * from './configure/configuration.ts';
export * from './configure/consumers.ts';
export * from './configure/environments.ts';
export { deleteEventType, listEventTypes, putEventType, readEventType } from './configure/event-types.ts';
export {
  type IssuedOperatorToken,
  issueOperatorToken,
  listOperatorTokens,
  lockOperatorToken,
  revokeOperatorToken,
} from './configure/operator-tokens.ts';
export {
  changeOperator,
  createOperator,
  hasOperators,
  listOperators,
  lockOperator,
  readOperator,
} from './configure/operators.ts';
export { readPartsOf, resolveChosenParts } from './configure/parts/active-parts.ts';
export {
  type ChangedPart,
  createPartVersion,
  listParts,
  readPart,
  switchPart,
} from './configure/parts/parts.ts';
export * from './configure/plans.ts';
export * from './configure/portal.ts';
export { reencryptSecrets } from './configure/reencrypt-secrets.ts';
export * from './configure/roles.ts';
export { createTemplateVersion, listTemplates, readTemplate, switchTemplate } from './configure/templates.ts';
export * from './configure/tenants.ts';
export * from './configure/tokens.ts';
export {
  DEVICE_LOGIN_S,
  DEVICE_POLL_S,
  type DeviceLoginOutcome,
  decideDeviceLogin,
  findDeviceLogin,
  redeemDeviceLogin,
  startDeviceLogin,
} from './console/device-logins.ts';
export * from './console/providers.ts';
export {
  endConsoleSession,
  findConsoleSessions,
  issueConsoleLink,
  listConsoleLinks,
  listConsoleSessions,
  openConsoleSession,
  readCurrentAccess,
  recordConsoleSessionUse,
  redeemConsoleLink,
  type UsableSession,
} from './console/sessions.ts';
export { createDatabaseClock, type DatabaseClock, dated } from './database-clock.ts';
export * from './database-state.ts';
export * from './erasures/erase-page.ts';
export { createErasure, findOpenErasures, listErasures, readErasure } from './erasures/erasure.ts';
export { type FeedbackDeps, recordFeedback } from './feedback/record.ts';
export * from './feedback/token.ts';
export { APP_ROLES, type AppRole } from './grants.ts';
export * from './health/gone-channel.ts';
export { switchChannel } from './health/pause.ts';
export * from './health/release.ts';
export { settleHealth } from './health/settle.ts';
export * from './limits/limited-claim.ts';
export { LARGE_MESSAGE_FIELDS, type LargeMessageField } from './message-fields.ts';
export { type FileKey, readMessageFile } from './message-files.ts';
export * from './migrate.ts';
export * from './operational/dispatch.ts';
export {
  EXPIRING_SECRET_TYPES,
  type ExpiringSecret,
  reportExpiringSecrets,
} from './operational/expiring-secrets.ts';
export { reportQuotaThresholds } from './operational/quota-thresholds.ts';
export { type BlockedKey, listBlockedKeys, unblockKey } from './ordering/blocked.ts';
export { forgetIdleKeys } from './ordering/forget.ts';
export * from './ordering/settle.ts';
export type { Page } from './pages.ts';
export { chargeTo, inShare, isSpentByOwner, type PoolShares, type Share, withShare } from './pool.ts';
export * from './read/audit-log.ts';
export * from './read/backlog.ts';
export * from './read/channel-attempts.ts';
export * from './read/consumer-deliveries.ts';
export {
  type AttemptRecord,
  type DeliveryRunRecord,
  MAX_DELIVERIES,
  readDeliveries,
} from './read/deliveries.ts';
export * from './read/explain-channels.ts';
export { TRIAL_MESSAGES, tryFilterOnMessages } from './read/filter-trial.ts';
export * from './read/lookup.ts';
export * from './read/lookup-names.ts';
export * from './read/messages.ts';
export { isWithin, type OwnedTable, type Owner, readOwner, seesTenant } from './read/owner.ts';
export * from './read/part-contents.ts';
export type { RunOfMessage } from './read/run-summaries.ts';
export * from './read/secret-keys.ts';
export * from './read/sent-content.ts';
export * from './read/usage.ts';
export {
  findOpenReplayBatches,
  listReplayBatches,
  readOwnedBatch,
  readReplayBatch,
} from './replay-batches/batches.ts';
export {
  cancelReplayBatch,
  createReplayBatch,
  findUsableChannels,
  previewReplay,
} from './replay-batches/change-batch.ts';
export { MAX_OPEN_REPLAY_RUNS } from './replay-batches/page-bounds.ts';
export { type ReplayPageOutcome, replayPage } from './replay-batches/replay-page.ts';
export * from './retention/remove-expired.ts';
export { inEnvironment } from './scope/scoped-client.ts';
export { CONNECT_QUERY_SETTINGS, findSessionWarning } from './session-settings.ts';
export type { Bounds, OperatorSnapshot } from './snapshot/access.ts';
export type { ConsumerSnapshot } from './snapshot/consumers.ts';
export * from './snapshot/listen.ts';
export type { ChannelSnapshot, EnvironmentSnapshot, EventTypeSnapshot } from './snapshot/load.ts';
export {
  createFinder,
  createMemo,
  createSecretMemo,
  createSnapshots,
  SNAPSHOT_MAX_AGE_MS,
  type Snapshots,
} from './snapshot/snapshots.ts';
export * from './snapshot/token-uses.ts';
export type { ChainHead } from './statements/audit-chain.ts';
export * from './statements/channels.ts';
export { askForRun, type ClaimAsk, type ClaimRules, claimRuns, LEASE_MARGIN_MS } from './statements/claim.ts';
export type { ChannelClaim, ClaimedChannel, ClaimedRun } from './statements/claimed-run.ts';
export { emitOperational } from './statements/emit.ts';
export { expireRun } from './statements/end-waiting-runs.ts';
export { createFinish, type EndedAttempt, type FinishAttempt } from './statements/finish.ts';
export * from './statements/held-runs.ts';
export {
  countLimitedRuns,
  expireLimitedRuns,
  findExpiredLimited,
  recordPresence,
} from './statements/limited-runs.ts';
export { endLostRun, findQuarantinedRuns } from './statements/lost-runs.ts';
export * from './statements/read-stream.ts';
export * from './statements/record-sent.ts';
export { refuseRuns } from './statements/refuse.ts';
export { type ReleasedRun, releaseExpiredLeases } from './statements/release-leases.ts';
export { findResponses, type StoredResponse } from './statements/responses.ts';
export * from './statements/sign-in-limits.ts';
export type { OrderingKey } from './statements/turns.ts';
export * from './stats/attention.ts';
export * from './stats/fold.ts';
export * from './stats/read.ts';
export * from './suppressions/list.ts';
export {
  findResumedStreams,
  forgetResumedStreams,
  listPausedStreams,
  pauseStreams,
  readComplaintRates,
  resumeStream,
} from './suppressions/paused-streams.ts';
export {
  createAddressHashKey,
  createServiceKeys,
  ServiceKeyLost,
  type ServiceKeySource,
} from './suppressions/service-keys.ts';
export { type NewSuppression, suppress } from './suppressions/suppress.ts';
export * from './suppressions/unsubscribe.ts';
export * from './sweep/end-channels.ts';
export * from './sweep/expire.ts';
export { findGoneListeners, touchListener } from './sweep/listeners.ts';
export { ADVISORY_LOCKS } from './transactions/advisory-locks.ts';
export {
  ACTOR_KINDS,
  type Actor,
  type ActorKind,
  AUDITED_RESOURCES,
  type AuditedChange,
  auditRecorderOf,
  type ConfigureDeps,
  recordAudit,
  SEED_ACTOR,
  SERVICE_ACTORS,
  WORKER_ACTOR,
  type WriteAudit,
} from './transactions/audit.ts';
export { limitChanges } from './transactions/self-service-limits.ts';
export {
  changeTogether,
  inTransaction,
  isTimeUp,
  readAtOnce,
  readInEnvironments,
} from './transactions/transaction.ts';
