import type {
  BlockedKey,
  ConfiguredChannel,
  Erasure,
  Message,
  Page,
  ReplayBatch,
  ReplayPreview,
  SecretKeys,
} from '@postrider/client';
import { formatId } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { useService } from './support/service.ts';

const service = useService({ worker: true, newKey: true });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** The result of a command that must succeed. */
async function made<Result>(args: readonly string[], env: Record<string, string> = {}): Promise<Result> {
  const { code, stderr, json } = await service.postrider([...args, '--json'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return json<Result>();
}

/** An environment with messages that failed, as many as said, and then some that were delivered. */
async function aftermath({ failed, delivered }: { failed: number; delivered: number }) {
  const { token, environmentId } = await service.fixture({
    channels: [
      {
        kind: 'webhook',
        name: 'Shop',
        config: { url: receiver.url },
        retry: { max_attempts: 1, delays_seconds: [0] },
      },
    ],
  });
  receiver.answers.push(...Array<number>(failed).fill(500));
  const send = ['events', 'send', '--event-key', 'order.shipped', '--wait'];
  const messages: Message[] = [];
  for (let n = 0; n < failed + delivered; n += 1) {
    const { code, json } = await service.postrider([...send, '--json'], { env: { POSTRIDER_TOKEN: token } });
    expect(code).toBe(n < failed ? 1 : 0);
    messages.push(json<Message>());
  }
  const scope = ['--environment', formatId('env', environmentId)];
  return { scope, failed: messages.slice(0, failed), delivered: messages.slice(failed) };
}

const FAILED = ['--run-status', 'failed', '--error-code', 'webhook_http_error'];

describe('an operator', () => {
  it("searches the messages of an environment and reads a timeline without the environment's token", async () => {
    const { scope, failed } = await aftermath({ failed: 2, delivered: 1 });
    const found = await made<Page<Message>>(['messages', 'search', ...scope, ...FAILED, '--all']);
    const [message] = found.data;
    const { stdout } = await service.postrider(['messages', 'show', message?.id ?? '', ...scope]);

    expect(new Set(found.data.map(({ id }) => id))).toEqual(new Set(failed.map(({ id }) => id)));
    expect(stdout).toMatch(/✗ attempt 1 failed/);
  });

  it('counts, replays and follows failed runs, with a progress bar on a terminal', async () => {
    const { scope, failed } = await aftermath({ failed: 2, delivered: 1 });
    const create = ['replays', 'create', ...scope, ...FAILED];
    const counted = await made<ReplayPreview>([...create, '--dry-run']);
    const replayed = await service.postrider([...create, '--messages-per-second', '100', '--wait'], {
      terminal: true,
    });
    const all = await made<Page<ReplayBatch>>(['replays', 'list', ...scope]);
    const [batch] = all.data;

    expect(counted).toMatchObject({ dry_run: true, matched: 2 });
    expect(replayed.code).toBe(0);
    expect(replayed.stderr).toMatch(/replaying .*2 of 2/);
    expect(batch).toMatchObject({ status: 'completed', matched: 2, replayed: 2 });
    expect(await made(['replays', 'get', batch?.id ?? ''])).toEqual(batch);
    expect(await made(['replays', 'watch', batch?.id ?? ''])).toEqual(batch);
    const shown = await service.postrider(['messages', 'show', failed[0]?.id ?? '', ...scope]);
    expect(shown.stdout).toMatch(/○ replayed, queued/);
  });

  it('shows no progress bar without a terminal', async () => {
    const { scope } = await aftermath({ failed: 1, delivered: 0 });
    const { code, stderr } = await service.postrider(['replays', 'create', ...scope, ...FAILED, '--wait']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('cancels a running replay', async () => {
    const { scope } = await aftermath({ failed: 3, delivered: 0 });
    const slowly = ['--messages-per-second', '1'];
    const { id } = await made<ReplayBatch>(['replays', 'create', ...scope, '--every-message', ...slowly]);

    expect(await made(['replays', 'cancel', id])).toMatchObject({ status: 'cancelled' });
    const watched = await service.postrider(['replays', 'watch', id]);
    expect(watched).toMatchObject({ code: 1, stderr: 'The replay is cancelled.\n' });
    expect(watched.stdout).toContain(id);
  });

  it('replays everything only with an explicit option', async () => {
    const { code, stderr } = await service.postrider(['replays', 'create', '--environment', 'env_1']);

    expect(code).toBe(2);
    expect(stderr).toMatch(/--every-message/);
  });

  it("erases a recipient's data and follows the progress", async () => {
    const { token, environmentId } = await service.fixture({
      channels: [{ kind: 'webhook', name: 'Shop', config: { url: receiver.url } }],
    });
    const scope = ['--environment', formatId('env', environmentId)];
    const send = ['events', 'send', '--event-key', 'order.shipped', '--to', 'ada@example.com', '--wait'];
    const sent = await made<Message>(send, { POSTRIDER_TOKEN: token });
    const { id } = await made<Erasure>(['recipients', 'erase', ...scope, '--email', 'ada@example.com']);
    const now = () => made<Erasure>(['recipients', 'get', id]);
    const erasure = await waitFor('the message to be erased', async () => {
      const current = await now();
      return current.messages_erased > 0 && current;
    });
    const { data } = await made<Page<Erasure>>(['recipients', 'list', ...scope]);

    expect(erasure).toMatchObject({ messages_erased: 1, runs_cancelled: 0 });
    expect(data).toMatchObject([{ id }]);
    const found = await made<Page<Message>>(['messages', 'search', ...scope]);
    expect(found.data).toMatchObject([{ id: sent.id, status: 'delivered', recipient: {}, payload: {} }]);
    const { stdout } = await service.postrider(['messages', 'show', sent.id, ...scope]);
    expect(stdout).toMatch(/^accepted .*, to somebody, .*\nerased .*: recipient and payload are gone$/m);
  });

  it('lists the blocked ordering keys of a channel, retries one and skips another', async () => {
    const { token, environmentId } = await service.fixture({});
    const scope = ['--environment', formatId('env', environmentId)];
    const retry = ['--retry', '{"max_attempts":1,"delays_seconds":[]}'];
    const order = ['--ordering', 'key', '--on-exhausted', 'block'];
    const channel = await made<ConfiguredChannel>([
      ...[
        'channels',
        'create-webhook',
        ...scope,
        '--name',
        'Shop',
        '--url',
        receiver.url,
        ...retry,
        ...order,
      ],
    ]);
    expect(channel).toMatchObject({ ordering: 'key', on_exhausted: 'block' });
    const event = ['events', 'send', '--event-key', 'order.shipped', '--ordering-key'];
    const env = { POSTRIDER_TOKEN: token };
    const sendAndFail = async (key: string) =>
      expect((await service.postrider([...event, key, '--wait'], { env })).code).toBe(1);
    receiver.answers.push(500);
    await sendAndFail('a');
    const { message_id: behind } = await made<Message>([...event, 'a'], env);
    receiver.answers.push(500);
    await sendAndFail('b');
    const blocked = () => made<Page<BlockedKey>>(['channels', 'blocked-keys', channel.id, '--all']);
    const keys = await waitFor('both keys to be blocked', async () => {
      const current = await blocked();
      return current.data.length === 2 && current;
    });
    expect(keys.data).toMatchObject([
      { ordering_key: 'a', sequence: 1, waiting: 1, last_error_code: 'webhook_http_error' },
      { ordering_key: 'b', sequence: 1, waiting: 0 },
    ]);
    const shown = async () => (await service.postrider(['messages', 'show', behind, ...scope])).stdout;
    const waiting = await shown();
    expect(waiting).toMatch(/^ordering key a$/m);
    expect(waiting).toMatch(/ {2}sequence 2 {2}/);
    expect(waiting).toMatch(/⧗ waits: earlier events of its ordering key come first/);

    const unblock = (by: string, key: string) => [
      ...['channels', `${by}-blocked-key`, channel.id, '--ordering-key', key],
    ];
    expect(await made(unblock('retry', 'a'))).toMatchObject({ unblocked: true });
    expect(await made(unblock('skip', 'b'))).toMatchObject({ unblocked: true, delivery_run_id: null });
    const again = await service.postrider(unblock('skip', 'b'));
    expect(again).toMatchObject({ code: 0, stderr: expect.stringMatching(/was not blocked/) });
    expect((await blocked()).data).toEqual([]);
    await waitFor('the delivery behind the key', async () => /✓ attempt 1 succeeded/.test(await shown()));
    expect(await shown()).not.toMatch(/replay/);
    const retried = (await service.postrider(['messages', 'show', keys.data[0]?.message_id ?? '', ...scope]))
      .stdout;
    expect(retried).toMatch(/ {2}retried as replay 1 {2}/);
  });

  it('sees what needs attention as a table, and one environment with a table for each list', async () => {
    const { scope } = await aftermath({ failed: 3, delivered: 0 });
    const [, environment = ''] = scope;
    // The report is up to 5 s old.
    const overview = await waitFor('the report', async () => {
      const { stdout } = await service.postrider(['attention', 'overview']);
      return stdout.includes(environment) ? stdout : null;
    });
    const [head = '', ...rows] = overview.trimEnd().split('\n');
    expect(head).toMatch(
      /^ENVIRONMENT ID +ENVIRONMENT NAME +TENANT NAME +FAILING CHANNELS +PAUSED CHANNELS +PAUSED STREAMS +BACKLOG DUE /,
    );
    expect(rows.find((row) => row.startsWith(environment))?.split(/ {2,}/)[3]).toBe('1');
    // It fails from the first failure, because nothing has succeeded.
    const failing = /^failing_channels\nCHANNEL ID .*\nchn_\w{26} +Shop +webhook +3 +webhook_http_error /m;
    const stdout = await waitFor('three failures', async () => {
      const shown = (await service.postrider(['attention', 'get', ...scope])).stdout;
      return failing.test(shown) ? shown : null;
    });
    expect(stdout).toMatch(/^backlog\.due +0$/m);
    expect(overview + stdout).not.toMatch(/[{}]/);
  });

  it('tests a channel and shows the delivery', async () => {
    const { scope } = await aftermath({ failed: 0, delivered: 0 });
    const { data } = await made<Page<ConfiguredChannel>>(['channels', 'list', ...scope]);
    const { code, stdout } = await service.postrider(['channels', 'test', data[0]?.id ?? '', '--wait']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/postrider\.test {2}delivered {2}\(a test\)/);
  });

  it('lists encryption keys in use and re-encrypts secrets with the current one', async () => {
    await aftermath({ failed: 0, delivered: 0 });
    const before = await service.postrider(['secrets', 'keys']);
    const reencrypted = await service.postrider(['secrets', 'reencrypt'], { terminal: true });
    const after = await made<SecretKeys>(['secrets', 'keys']);

    expect(before.stdout).toMatch(/^test +older +[1-9]\d* +-$/m);
    expect(reencrypted.stdout).toMatch(/^[1-9]\d* re-encrypted$/m);
    expect(reencrypted.stderr).toMatch(/re-encrypting .*(\d+) of \1/);
    expect(after.keys).toEqual([
      { key_id: 'new', status: 'current', secrets: expect.any(Number), channels: [] },
      { key_id: 'test', status: 'older', secrets: 0, channels: [] },
    ]);
  });
});
