import { type Receiver, startReceiver } from '@postrider/rig';
import { afterAll, beforeAll, describe } from '@postrider/testing';
import type { JsonContent } from '../../src/json-template.ts';
import type { Sender, SenderOptions } from '../../src/sender.ts';
import { createWebhookSender } from '../../src/webhook/sender.ts';
import { loopbackAllowed } from './delivery.ts';

type HttpClient = NonNullable<SenderOptions['httpClient']>;

/** What the tests of one HTTP client use. The functions return what is open while a test runs. */
interface WebhookClient {
  readonly httpClient: HttpClient;
  readonly receiver: () => Receiver;
  /** May reach this machine. */
  readonly channel: () => Sender<JsonContent>;
}

const CLIENTS: readonly HttpClient[] = ['node', 'got'];

/** Describes what holds with every HTTP client, each with a receiver and a sender of its own. */
export function describeWithEachClient(tests: (client: WebhookClient) => void): void {
  describe.each(CLIENTS)('by %s', (httpClient) => {
    let receiver: Receiver;
    let channel: Sender<JsonContent>;
    beforeAll(async () => {
      receiver = await startReceiver();
      channel = createWebhookSender({ isAddressAllowed: loopbackAllowed, httpClient });
    });
    afterAll(async () => {
      channel.close();
      await receiver.close();
    });
    tests({ httpClient, receiver: () => receiver, channel: () => channel });
  });
}
