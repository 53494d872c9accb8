import type { JsonValue } from '../storable-json.ts';
import { costOf } from './cost.ts';
import { compileCondition, type FilteredEvent, FilterMeter } from './evaluate.ts';
import { type FilterIssue, parseFilter } from './parse.ts';

export { type FilteredEvent, FilterMeter, FilterStepsExceededError } from './evaluate.ts';
export { FILTER_FIELDS, FILTER_LIMITS, type FilterIssue } from './parse.ts';

/** Bytes of the largest event. */
const MAX_EVENT_BYTES = 262_144;

/** The most steps that one filter may take on the largest event: some 50 ms. */
export const MAX_FILTER_STEPS = 4_000_000;
/** More than the filters of 100 channels take that look at no list: some millisecond. */
const STEPS_OF_EVENT = 100_000;
const STEPS_PER_BYTE = Math.ceil(MAX_FILTER_STEPS / MAX_EVENT_BYTES);

/**
 * The steps that the filters of all channels may take on an event together: 100,000 and 16 for each of its bytes, so that
 * a hundred small events in one request hold up others no longer than a large one. A filter that could be saved never
 * takes so many alone.
 * @param times how often each filter is tried
 */
export function filterMeter(event: FilteredEvent, times = 1): FilterMeter {
  const ofBytes = () => STEPS_PER_BYTE * Buffer.byteLength(JSON.stringify(event));
  return new FilterMeter(times * STEPS_OF_EVENT, () => times * ofBytes());
}

/** A filter that can be tried on events. Both calls throw FilterStepsExceededError when the meter is used up. */
export interface EventFilter {
  readonly holds: (event: FilteredEvent, meter: FilterMeter) => boolean;
  /** The JSON Pointer to the first condition of the filter that does not hold; null when the filter does. */
  readonly failing: (event: FilteredEvent, meter: FilterMeter) => string | null;
}

export type CompiledFilter =
  | { readonly ok: true; readonly filter: EventFilter }
  | { readonly ok: false; readonly issues: readonly FilterIssue[] };

/**
 * Checks a filter and makes it ready: docs/specification.md, "Filters". One whose worst case on the largest event takes
 * more than {@link MAX_FILTER_STEPS} is refused.
 */
export function compileFilter(filter: JsonValue): CompiledFilter {
  const parsed = parseFilter(filter);
  if (!parsed.ok) return parsed;
  const { fixed, perByte } = costOf(parsed.condition);
  const steps = Math.ceil(fixed + perByte * MAX_EVENT_BYTES);
  if (steps > MAX_FILTER_STEPS) {
    const message = `could take ${steps} steps on the largest event, and may take ${MAX_FILTER_STEPS}: compare fewer fields of lists`;
    return { ok: false, issues: [{ path: '', code: 'too_large', message }] };
  }
  const { holds, failing } = compileCondition(parsed.condition);
  const asValue = (event: FilteredEvent) => event as unknown as JsonValue;
  return {
    ok: true,
    filter: {
      holds: (event, meter) => holds(asValue(event), meter),
      failing: (event, meter) => (holds(asValue(event), meter) ? null : failing(asValue(event), meter)),
    },
  };
}
