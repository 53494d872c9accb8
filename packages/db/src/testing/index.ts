export {
  createTestDatabase,
  migrateUntil,
  singleRedisServerUrl,
  type TestDatabase,
  testRedisUrl,
} from './database.ts';
export {
  asOwner,
  createFixture,
  createOwnerClaim,
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
