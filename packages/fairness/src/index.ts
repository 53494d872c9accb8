export { type AimdLimits, createAimdLimits } from './aimd.ts';
export {
  type Ask,
  createFairSemaphore,
  type FairSemaphore,
  type FairSemaphoreOptions,
  type Holder,
  type Permit,
} from './fair-semaphore.ts';
export { createSlots, type Slot, type SlotAsk, type Slots, type SlotsOptions } from './slots.ts';
