import { randomBytes } from 'node:crypto';
import { createFixture } from '@postrider/db/testing';
import { createSecretBox, type EncryptionKey, formatId } from '@postrider/domain';
import { type Receiver, startReceiver, status } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Webhook } from 'standardwebhooks';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

const newKey = (id: string): EncryptionKey => ({ id, key: randomBytes(32) });
const [lost, older, newer] = [newKey('lost'), newKey('older'), newKey('newer')];

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([
    startHarness({ fastSweeps: ['expiredSecrets'] }),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

/** A webhook channel whose secret is encrypted with this key. */
async function channelUnder(key: EncryptionKey, path: string) {
  // So long that a run has attempts left when its key is back.
  const retry = { delaysSeconds: [1] };
  const input = { channels: [webhookChannel(receiver.endpoint(path, status(200)), retry)] };
  const fixture = { ...(await createFixture(harness.db, input, createSecretBox([key]))), input };
  const [channel] = fixture.channels;
  const verifies = () => {
    const [request] = receiver.received(path);
    return new Webhook(channel?.secret ?? '').verify(
      request?.body ?? '',
      request?.headers as Record<string, string>,
    );
  };
  const stored = async () =>
    (await harness.db.channel.findUniqueOrThrow({ where: { id: channel?.id ?? '' } })).sealedSecret ?? '';
  return { fixture, verifies, stored };
}

describe('a secret with an older key', () => {
  it('signs, and stays readable for processes that are not restarted with the newer key yet', async () => {
    const worker = await harness.startWorker({ encryptionKeys: [newer, older] });
    const { fixture, verifies, stored } = await channelUnder(older, '/older');
    const before = await stored();
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(verifies()).toMatchObject({ type: 'order.shipped' });
    await worker.stop(0);
    expect(await stored()).toBe(before);
  });
});

describe('a lost key', () => {
  it('delays only its channels, and their runs are sent when it is back', async () => {
    const without = await harness.startWorker({ encryptionKeys: [newer] });
    const [affected, other] = [await channelUnder(lost, '/lost'), await channelUnder(newer, '/other')];
    const event = await harness.accept(affected.fixture, { maxAttempts: 20 });
    await harness.runIn(other.fixture, await harness.accept(other.fixture), ['succeeded']);
    const waiting = await harness.runIn(affected.fixture, event, ['retrying']);
    expect(waiting.attempts[0]).toMatchObject({
      status: 'failed',
      errorCode: 'webhook_connection_failed',
      errorMessage: expect.stringContaining('encrypted with a key that the service does not have'),
      retryable: true,
    });
    expect(receiver.received('/lost')).toEqual([]);
    const lines = harness.log.filter(({ key_id }) => key_id === lost.id);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        message: expect.stringContaining('cannot be decrypted'),
        channel: formatId('chn', affected.fixture.channels[0]?.id ?? ''),
        reason: 'unknown_key',
      }),
    ]);
    await without.stop(0);
    await harness.startWorker({ encryptionKeys: [newer, lost] });
    await harness.runIn(affected.fixture, event, ['succeeded']);
    expect(affected.verifies()).toMatchObject({ type: 'order.shipped' });
  });
});
