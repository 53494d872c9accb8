export {
  type Claim,
  createFairSemaphore,
  type FairSemaphore,
  type FairSemaphoreOptions,
  type Holder,
  type Permit,
} from './fair-semaphore.ts';
