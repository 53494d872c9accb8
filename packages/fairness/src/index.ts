export {
  type Ask,
  createEventLoopTurns,
  createFairSemaphore,
  type EventLoopTurns,
  type FairSemaphore,
  type FairSemaphoreOptions,
  type Holder,
  LARGE_JSON_CHARACTERS,
  LARGE_JSON_TURNS,
  type Permit,
} from './fair-semaphore.ts';
