import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitFor } from '@postrider/rig';
import { expect, it } from '@postrider/testing';
import { createEmailChannel, emailDelivery, loopbackAllowed } from '../support/delivery.ts';
import { startBreakingServer } from '../support/raw-smtp.ts';

const MIB = 1_024 * 1_024;
/** One refusal of 16,000 bytes. */
const REFUSAL = Array.from({ length: 32 }, (_, line) => `550${line < 31 ? '-' : ' '}${'x'.repeat(494)}`).join(
  '\r\n',
);

/** The bytes of live objects of this process. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

it('the refusals of a mail are forgotten when its connection ends without an error', async () => {
  const server = await startBreakingServer('connect', { times: 0, pipelining: false, toRecipient: REFUSAL });
  const channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
  const cc = Array.from({ length: 49 }, (_, index) => `copy-${index}@example.com`);
  const before = liveBytes();
  const codes = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { error } = await channel.send(
        emailDelivery({ port: server.port }, { content: { cc }, timeoutMs: 60_000 }),
      );
      return error?.code;
    }),
  );
  expect(new Set(codes)).toEqual(new Set(['smtp_permanent_rejection']));
  // The library itself forgets them when a connection ends.
  server.dropConnections();
  await waitFor('the refusals to be forgotten', () => liveBytes() - before < 4 * MIB, { timeoutMs: 20_000 });
  channel.close();
  await server.close();
});

it.each([
  [
    'has three digits, whatever a server sends',
    '5501234567890 5.1.1 no such mailbox',
    'smtp_permanent_rejection',
    550,
  ],
  ['that means nothing leads to another try', '350 what?', 'smtp_connection_failed', undefined],
])('the code of a reply %s', async (_what, toRecipient, code, statusCode) => {
  const server = await startBreakingServer('connect', { times: 0, pipelining: false, toRecipient });
  const channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
  const { error, response } = await channel.send(emailDelivery({ port: server.port }));
  expect([error?.code, response?.statusCode]).toEqual([code, statusCode]);
  channel.close();
  await server.close();
});
