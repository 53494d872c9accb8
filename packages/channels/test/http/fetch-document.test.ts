import { createAddressPolicy } from '@postrider/domain';
import { closeConnection, type Receiver, startReceiver, status } from '@postrider/rig';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { createDocumentFetcher } from '../../src/http/create-client.ts';
import type { SenderOptions } from '../../src/sender.ts';
import { loopbackAllowed } from '../support/delivery.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

async function fetchOnce(url: string, options: Partial<SenderOptions> = {}): Promise<string | null> {
  const fetcher = createDocumentFetcher({ isAddressAllowed: loopbackAllowed, ...options });
  return fetcher.fetchDocument(new URL(url)).finally(fetcher.close);
}

it.each(['node', 'got'] as const)('fetches a document by GET with %s', async (httpClient) => {
  const url = receiver.endpoint(`/document-${httpClient}`, status(200, {}, 'the text'));
  expect(await fetchOnce(url, { httpClient })).toBe('the text');
  expect(receiver.received(`/document-${httpClient}`)).toMatchObject([{ method: 'GET', body: '' }]);
});

it('returns nothing for other responses, including redirects', async () => {
  const target = receiver.endpoint('/target', status(200, {}, 'moved'));
  expect(await fetchOnce(receiver.endpoint('/missing', status(404, {}, 'none')))).toBeNull();
  expect(await fetchOnce(receiver.endpoint('/moved', status(302, { location: target })))).toBeNull();
  expect(await fetchOnce(receiver.endpoint('/broken', closeConnection))).toBeNull();
  expect(receiver.received('/target')).toEqual([]);
});

it('reads at most 16 KiB', async () => {
  const url = receiver.endpoint('/long', status(200, {}, 'x'.repeat(100_000)));
  expect(await fetchOnce(url)).toHaveLength(16 * 1_024);
});

it('connects to no address that the policy refuses', async () => {
  const url = receiver.endpoint('/refused', status(200, {}, 'secret'));
  const isAddressAllowed = createAddressPolicy([]);
  expect(await fetchOnce(url, { isAddressAllowed })).toBeNull();
  expect(await fetchOnce(url.replace('127.0.0.1', 'localhost'), { isAddressAllowed })).toBeNull();
  expect(receiver.received('/refused')).toEqual([]);
});
