import type { JsonObject } from '../storable-json.ts';

/** Event key and payload of a test send that names none. */
export const TEST_EVENT_KEY = 'postrider.test';
export const TEST_PAYLOAD: JsonObject = { message: 'This is a test from Postrider.' };
