export { type CancelOutcome, cancelRun } from './accept/cancel.ts';
export * from './accept/change-message.ts';
export type { Creation } from './accept/creation.ts';
export {
  type Accept,
  createAccepting,
  createStoredResponseLookup,
  type FindStoredResponse,
  IDEMPOTENCY_WAIT_MS,
  storeOnlyResponse,
} from './accept/idempotency.ts';
export {
  createIngest,
  type EventToAccept,
  type IngestEvent,
  type IngestOptions,
  type IngestOutcome,
} from './accept/ingest.ts';
export * from './accept/ingest-batch.ts';
export type * from './accept/quota.ts';
export { acceptReplay, createReplay, type ReplayOutcome } from './accept/replay.ts';
export type * from './accept/runs.ts';
export {
  channelsFor,
  draftRuns,
  planRuns,
  usableChannels,
} from './accept/runs.ts';
export * from './accept/test-send.ts';
export { type ChainDeps, chainAuditEntries } from './audit/chain.ts';
export * from './audit/verify.ts';
export { createBatcher, type Linger, type ObserveBatch } from './batcher.ts';
export {
  isChannelPosition,
  type LockedChannel,
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
  describeOutage,
  isDatabaseUnreachable,
  isTransactionConflict,
  type OpenedDatabase,
  openDatabase,
  openPooledDatabase,
  type PoolUse,
  type Queryable,
  TOGETHER_LIMIT_MS,
  type UnboundDatabase,
  withinEnvironment,
} from './client.ts';
export * from './configure/change-channel.ts';
export {
  type ChannelInput,
  type CreatedChannel,
  channelsTaking,
  createChannel,
  type WithKinds,
} from './configure/channels.ts';
export * from './configure/configuration.ts';
export * from './configure/consumers.ts';
export * from './configure/environments.ts';
export * from './configure/event-types.ts';
export * from './configure/operator-tokens.ts';
export * from './configure/operators.ts';
export { readPartsOf, resolveChosenParts } from './configure/parts/active-parts.ts';
export * from './configure/parts/parts.ts';
export * from './configure/plans.ts';
export * from './configure/portal.ts';
export * from './configure/reencrypt-secrets.ts';
export * from './configure/roles.ts';
export * from './configure/templates.ts';
export * from './configure/tenants.ts';
export * from './configure/tokens.ts';
export * from './console/device-logins.ts';
export * from './console/providers.ts';
export * from './console/sessions.ts';
export * from './database-clock.ts';
export { type DatabaseState, readDatabaseState } from './database-state.ts';
export * from './erasures/erase-page.ts';
export { createErasure, findOpenErasures, listErasures, readErasure } from './erasures/erasure.ts';
export * from './feedback/record.ts';
export * from './feedback/token.ts';
export { APP_ROLES, type AppRole } from './grants.ts';
export * from './health/gone-channel.ts';
export { switchChannel } from './health/pause.ts';
export * from './health/release.ts';
export * from './health/settle.ts';
export * from './limits/claim-within.ts';
export { recordPresence } from './limits/presence.ts';
export { LARGE_MESSAGE_FIELDS, type LargeMessageField, type NewMessage } from './message-fields.ts';
export { type FileKey, readMessageFile } from './message-files.ts';
export { migrate, supersededIndexes } from './migrate.ts';
export * from './operational/dispatch.ts';
export {
  EXPIRING_SECRET_TYPES,
  type ExpiringSecret,
  type ExpiringSecretType,
  reportExpiringSecrets,
} from './operational/expiring-secrets.ts';
export { type BlockedKey, listBlockedKeys, type UnblockOutcome, unblockKey } from './ordering/blocked.ts';
export * from './ordering/forget.ts';
export { assignDueSequences, settleOrder } from './ordering/settle.ts';
export { type Page, type PageRequest, pageOf } from './pages.ts';
export {
  chargeTo,
  EVERYONE,
  inShare,
  isSpentByOwner,
  type PoolShares,
  type Share,
  withShare,
} from './pool.ts';
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
export type { MessageCount } from './read/message-search.ts';
export * from './read/messages.ts';
export * from './read/owner.ts';
export * from './read/part-contents.ts';
export type { RunOfMessage, RunSummary } from './read/run-summaries.ts';
export * from './read/secret-keys.ts';
export * from './read/sent-content.ts';
export * from './read/usage.ts';
export {
  findOpenReplayBatches,
  listReplayBatches,
  readOwnedBatch,
  readReplayBatch,
} from './replay-batches/batches.ts';
export * from './replay-batches/change-batch.ts';
export { MAX_OPEN_REPLAY_RUNS } from './replay-batches/page-bounds.ts';
export * from './replay-batches/replay-page.ts';
export * from './retention/remove-expired.ts';
export { environmentScope, inEnvironment } from './scope/scoped-client.ts';
export { CONNECT_QUERY_SETTINGS, findSessionWarning } from './session-settings.ts';
export type { Bounds, OperatorSnapshot, OperatorTokenSnapshot } from './snapshot/access.ts';
export type { ConsumerSnapshot } from './snapshot/consumers.ts';
export * from './snapshot/listen.ts';
export type {
  ChannelSnapshot,
  EnvironmentSnapshot,
  EventTypeSnapshot,
  TokenSnapshot,
} from './snapshot/load.ts';
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
export {
  askForRun,
  type ClaimAsk,
  type ClaimRules,
  claimRuns,
  LEASE_MARGIN_MS,
} from './statements/claim.ts';
export type { ChannelClaim, ClaimedChannel, ClaimedRun } from './statements/claimed-run.ts';
export { emitOperational, type OperationalEvent, reportChangedQuota } from './statements/emit.ts';
export { expireRun } from './statements/end-waiting-runs.ts';
export { createFinish, type EndedAttempt, type FinishAttempt } from './statements/finish.ts';
export * from './statements/held-runs.ts';
export * from './statements/limited-runs.ts';
export { endLostRun, findQuarantinedRuns } from './statements/lost-runs.ts';
export * from './statements/read-stream.ts';
export * from './statements/record-sent.ts';
export { type RunToRefuse, refuseRuns } from './statements/refuse.ts';
export * from './statements/release-leases.ts';
export { findResponses, type StoredResponse } from './statements/responses.ts';
export * from './statements/sign-in-limits.ts';
export type { OrderingKey } from './statements/turns.ts';
export * from './stats/attention.ts';
export * from './stats/fold.ts';
export {
  readStats,
  STATS_GROUPS,
  STATS_INTERVALS,
  type StatsFigures,
  type StatsGroup,
  type StatsInterval,
} from './stats/read.ts';
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
export { type NewSuppression, type SuppressDeps, suppress, suppressAll } from './suppressions/suppress.ts';
export * from './suppressions/unsubscribe.ts';
export { endRunsOfDeletedChannels, markEndedChannels } from './sweep/end-channels.ts';
export * from './sweep/expire.ts';
export { findWork, hasSearch, type SweepWithSearch, shareOfSweep } from './sweep/find-work.ts';
export { findGoneListeners, touchListener } from './sweep/listeners.ts';
export * from './transactions/audit.ts';
export { limitChanges } from './transactions/self-service-limits.ts';
export * from './transactions/transaction.ts';
