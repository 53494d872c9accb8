/** The pure rules of Postrider: no I/O, no framework, no environment. One file per concern. */

// The bounded cache of every package, so that a process loads one version of it.
export { LRUCache } from 'lru-cache';
export * from './access.ts';
export * from './address-policy.ts';
export * from './attempt-outcome.ts';
export * from './channels/account-states.ts';
export * from './channels/channel-health.ts';
export * from './channels/channel-kinds.ts';
export * from './channels/channel-limits.ts';
export * from './channels/channel-settings.ts';
export * from './channels/channel-state.ts';
export * from './channels/failure-policy.ts';
export * from './channels/kind-facts.ts';
export * from './deadline.ts';
export * from './email-address.ts';
export * from './error-codes.ts';
export * from './event-key.ts';
export * from './feedback.ts';
export type { BodyOf, Field, Schema, Schemas } from './fields.ts';
export * as fields from './fields.ts';
export * from './filters/index.ts';
export { groupBy } from './group-by.ts';
export * from './http-date.ts';
export * from './idempotency.ts';
export * from './ids.ts';
export * from './json-path.ts';
export * from './listener-relay.ts';
export * from './once-per-object.ts';
export * from './one-line.ts';
export * from './payload-schema/limits.ts';
export { camelFields, parseFields, presentFields } from './present.ts';
export * from './refusal.ts';
export * from './resources/configuration.ts';
export * from './resources/consumers.ts';
export * from './resources/delivery-runs.ts';
export * from './resources/environment-settings.ts';
export * from './resources/operations.ts';
export * from './resources/operators.ts';
export * from './resources/parts.ts';
export * from './resources/portal.ts';
export {
  ID_PREFIXES,
  type IdPrefix,
  MANAGED_RESOURCE_NAMES,
  MANAGED_RESOURCES,
  type ManagedResourceName,
  type NotFoundCode,
  notFoundCode,
} from './resources/registry.ts';
export * from './resources/self-service-limits.ts';
export * from './resources/suppressions.ts';
export * from './resources/tenants.ts';
export * from './retry-policy.ts';
export * from './search-keys.ts';
export * from './secret-box.ts';
export * from './states.ts';
export * from './storable-json.ts';
export * from './store-addresses.ts';
export * from './suppressions/bounce-tokens.ts';
export * from './suppressions/service-keys.ts';
export * from './suppressions/unsubscribe-link.ts';
export * from './templates/attachments.ts';
export * from './templates/checked-template.ts';
export { templateContextOf } from './templates/context.ts';
export * from './templates/email-envelope.ts';
export * from './templates/email-template.ts';
export * from './templates/json-template.ts';
export { createParsedSources, type ParsedSources, reuseParsed } from './templates/parsed-sources.ts';
export * from './templates/parts.ts';
export { collectReferences } from './templates/references.ts';
export * from './templates/resources.ts';
export * from './templates/template-types.ts';
export * from './templates/translations.ts';
export * from './timestamp.ts';
export * from './token-bucket.ts';
export * from './tokens.ts';
export * from './trace-context.ts';
export * from './wake-up.ts';
export * from './webhook-signature.ts';
