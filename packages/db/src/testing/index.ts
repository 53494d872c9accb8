export { type ClaimOutcome, createOwnerClaim } from './claim-run.ts';
export {
  createTestDatabase,
  migrateUntil,
  singleRedisServerUrl,
  type TestDatabase,
  testRedisUrl,
} from './database.ts';
export {
  actorNamed,
  asOwner,
  createFixture,
  createOwnerFinish,
  createTestKeys,
  createTestSecretBox,
  createTestTemplate,
  type Fixture,
  type FixtureInput,
  idDaysAgo,
  putTestEventType,
  type TestEventInput,
  type TestTemplate,
  testEvent,
} from './fixtures.ts';
export { testKinds } from './kinds.ts';
export { failedWith, SUCCEEDED } from './outcomes.ts';
export { makeRunOlder, passTime } from './pass-time.ts';
export { statementsDuring } from './statements.ts';
