export {
  type Ask,
  createFairSemaphore,
  type FairSemaphore,
  type FairSemaphoreOptions,
  type Holder,
  type Permit,
} from './fair-semaphore.ts';
export {
  createEventLoopTurns,
  type EventLoopTurns,
  LARGE_JSON_CHARACTERS,
  LARGE_JSON_TURNS,
} from './turns.ts';
