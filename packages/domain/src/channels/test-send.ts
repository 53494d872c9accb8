import type { JsonObject } from '../storable-json.ts';

/** Event key and payload of a test send that names none. */
export const TEST_EVENT_KEY = 'postrider.test';
export const TEST_PAYLOAD: JsonObject = { message: 'This is a test from Postrider.' };

/**
 * Marks what a test sends, also where a template says everything else, so that a receiver can tell it apart.
 */
export const TEST_WEBHOOK_HEADER = 'postrider-test';
export const TEST_EMAIL_HEADER = 'X-Postrider-Test';

/** What a test mail says where no template is active for its event key. */
export function testEmail(channelName: string): { subject: string; html: null; text: string } {
  return {
    subject: `Test of the channel ${channelName}`,
    html: null,
    text: `This is a test from Postrider.\n\nThe channel "${channelName}" can send mail.\n`,
  };
}
