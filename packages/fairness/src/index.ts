export {
  type Ask,
  createFairSemaphore,
  type FairSemaphore,
  type FairSemaphoreOptions,
  type Holder,
  type Permit,
} from './fair-semaphore.ts';
export { createEventLoopTurns, type EventLoopTurns } from './turns.ts';
