import { isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';
import { compileCondition, type FilteredEvent, FilterMeter, FilterStepsExceededError } from './evaluate.ts';
import { type FilterIssue, parseFilter } from './parse.ts';

export {
  type EventToFilter,
  type FilteredEvent,
  FilterMeter,
  filteredEvent,
} from './evaluate.ts';
export { FILTER_FIELDS, FILTER_LIMITS, type FilterIssue } from './parse.ts';

/** The largest event, in bytes. */
const MAX_EVENT_BYTES = 262_144;

/** The most steps of one filter on the largest event: about 50 ms. */
export const MAX_FILTER_STEPS = 4_000_000;
/** Enough for the filters of 100 channels without conditions on lists: about a millisecond. */
const STEPS_OF_EVENT = 100_000;
const STEPS_PER_BYTE = Math.ceil(MAX_FILTER_STEPS / MAX_EVENT_BYTES);

/**
 * The limit of steps for the filters of all channels on one event: 100,000, plus 16 for each byte of the event. So a
 * hundred small events in one request block others no longer than one large event. A filter that was accepted cannot
 * reach this limit alone.
 * @param times how often each filter is evaluated
 */
export function filterMeter(event: FilteredEvent, times = 1): FilterMeter {
  const ofBytes = () => STEPS_PER_BYTE * Buffer.byteLength(JSON.stringify(event));
  return new FilterMeter(times * STEPS_OF_EVENT, () => times * ofBytes());
}

/** The result of evaluating filters, or `instead` if these take more steps than their meter allows. */
export function withinSteps<Result, Instead>(evaluate: () => Result, instead: Instead): Result | Instead {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof FilterStepsExceededError) return instead;
    throw error;
  }
}

/** A compiled filter. Both calls throw when the meter is used up, see {@link withinSteps}. */
export interface EventFilter {
  readonly holds: (event: FilteredEvent, meter: FilterMeter) => boolean;
  /** The JSON Pointer to the first false condition of the filter; null if the filter matches. */
  readonly failing: (event: FilteredEvent, meter: FilterMeter) => string | null;
}

/** Whether a valid filter has a condition on the consumer of the event. */
export function readsConsumer(filter: JsonObject): boolean {
  return Object.entries(filter).some(
    ([name, value]) =>
      name === 'consumer' ||
      (name.startsWith('$') && [value].flat().some((part) => isJsonObject(part) && readsConsumer(part))),
  );
}

type CompiledFilter =
  | { readonly ok: true; readonly filter: EventFilter }
  | { readonly ok: false; readonly issues: readonly FilterIssue[] };

/**
 * Checks and compiles a filter (docs/specification.md, "Filters"). A filter that may need more than {@link
 * MAX_FILTER_STEPS} on the largest event is refused. A stored filter can compare fields with the names of operators, and is
 * not refused for its steps, which an earlier release may have counted differently: {@link filterMeter} bounds them.
 */
export function compileFilter(filter: JsonValue, { isStored = false } = {}): CompiledFilter {
  const parsed = parseFilter(filter, { isStored });
  if (!parsed.ok) return parsed;
  const { holds, failing, cost } = compileCondition(parsed.condition);
  const steps = Math.ceil(cost.fixed + cost.perByte * MAX_EVENT_BYTES);
  if (steps > MAX_FILTER_STEPS && !isStored) {
    const message =
      `could take ${steps} steps on the largest event, but only ${MAX_FILTER_STEPS} are allowed: compare fewer ` +
      'fields of lists';
    return { ok: false, issues: [{ path: '', code: 'too_large', message }] };
  }
  const asValue = (event: FilteredEvent) => event as unknown as JsonValue;
  return {
    ok: true,
    filter: {
      holds: (event, meter) => holds(asValue(event), meter),
      failing: (event, meter) => (holds(asValue(event), meter) ? null : failing(asValue(event), meter)),
    },
  };
}
