export { createTestDatabase, singleRedisServerUrl, type TestDatabase, testRedisUrl } from './database.ts';
export { type TestEventInput, testEvent } from './events.ts';
export {
  createFixture,
  createTestKeys,
  createTestSecretBox,
  type Fixture,
  type FixtureInput,
} from './fixtures.ts';
export { asOwner, createOwnerClaim, createOwnerFinish } from './owner.ts';
export { createTestTemplate, putTestEventType, type TestTemplate } from './templates.ts';
