export {
  type Ask,
  createFairSemaphore,
  type FairSemaphore,
  type FairSemaphoreOptions,
  type Holder,
  type Permit,
} from './fair-semaphore.ts';
export {
  type AimdLimits,
  createAimdLimits,
  createSlots,
  type Slot,
  type SlotAsk,
  type Slots,
  type SlotsOptions,
} from './slots.ts';
export { createTurns, type Turns } from './turns.ts';
