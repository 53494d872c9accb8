import type { Accepted, Message, Page } from '@postrider/client';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { useService } from './support/service.ts';

const service = useService({ worker: true });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Retries at once, so that a failed attempt is followed by the next. */
const RETRY = { max_attempts: 3, delays_seconds: [0] };

/** An environment with a webhook channel, and the command line with its token. */
async function environment() {
  const { token } = await service.fixture({
    channels: [{ kind: 'webhook', name: 'Shop', config: { url: receiver.url }, retry: RETRY }],
  });
  const env = { POSTRIDER_TOKEN: token };
  return {
    token,
    run: (args: readonly string[], options = {}) => service.postrider(args, { env, ...options }),
  };
}

const SEND = ['events', 'send', '--event-key', 'order.shipped', '--to', 'ada@example.com', '--name', 'Ada'];

describe('events and messages', () => {
  it('can be sent and awaited, and are shown with every attempt', async () => {
    const { run } = await environment();
    receiver.answers.push(500);
    const { code, stdout } = await run([...SEND, '--payload', '{"order_id":"A-1"}', '--wait']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^msg_\w{26} {2}order\.shipped {2}delivered$/m);
    expect(stdout).toMatch(/to Ada <ada@example\.com>, request cli-/);
    expect(stdout).toMatch(/^webhook "Shop" succeeded {2}2 of 3 attempts {2}run_\w{26}$/m);
    expect(stdout).toMatch(/^├─ +\+0\.000 s {2}○ queued$/m);
    expect(stdout).toMatch(
      /^├─ +\+\d+\.\d{3} s {2}✗ attempt 1 failed .*response 500 {2}webhook_http_error: /m,
    );
    expect(stdout).toMatch(/^└─ +\+\d+\.\d{3} s {2}✓ attempt 2 succeeded .*response 204$/m);
  });

  it('exit with 1 after the timeline if they are not delivered, also when they are replayed', async () => {
    const { run } = await environment();
    receiver.answers.push(500, 500, 500);
    const sent = await run([...SEND, '--wait']);
    expect(sent).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The message is failed\.$/m) });
    expect(sent.stdout).toMatch(/^msg_\w{26} {2}order\.shipped {2}failed$/m);
    expect(sent.stdout).toMatch(/attempt 3 failed/);

    receiver.answers.push(500, 500, 500);
    const id = /^msg_\w{26}/.exec(sent.stdout)?.[0] ?? '';
    const replayed = await run(['messages', 'replay', id, '--wait', '--json']);
    expect(replayed.code).toBe(1);
    expect(replayed.json()).toMatchObject({ id, status: 'failed' });
    expect(JSON.parse(replayed.stderr).error).toMatchObject({ code: 'unsuccessful' });
  });

  it('are named before a wait, so that they are found after Ctrl-C', async () => {
    const { run } = await environment();
    const controller = new AbortController();
    const scheduled = [...SEND, '--schedule-at', '2099-01-01T00:00:00Z', '--wait'];
    const onError = () => controller.abort();
    const { code, stderr } = await run(scheduled, { signal: controller.signal, onError });
    expect(code).toBe(130);
    const shown = await run(['messages', 'show', /msg_\w{26}/.exec(stderr)?.[0] ?? '']);
    expect(shown.stdout).toContain('scheduled for 2099-01-01');
  });

  it.each([
    ['a name and an address', { name: 'Ada', email: 'ada@example.com' }, ', to Ada <ada@example.com>,'],
    ['only an address', { email: 'ada@example.com' }, ', to ada@example.com,'],
    ['only a name', { name: 'Ada' }, ', to Ada,'],
    ['neither', { id: 'cus_1' }, ','],
  ])('are shown to a recipient with %s', async (_what, recipient, shown) => {
    const { run } = await environment();
    const to = ['--recipient', JSON.stringify(recipient)];
    const { stdout } = await run(['events', 'send', '--event-key', 'order.shipped', ...to, '--wait']);
    expect(stdout.split('\n')[1]).toMatch(new RegExp(`^accepted [-0-9]+ [0-9:.]+Z${shown} request cli-`));
  });

  it('can expire', async () => {
    const { run } = await environment();
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { code, json } = await run([...SEND, '--expires-at', at, '--wait', '--json']);
    expect(code).toBe(0);
    expect(json<Message>().expires_at).toBe(at);
    const past = await run([...SEND, '--expires-at', '2020-01-01T00:00:00Z']);
    expect(past).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/expires_at must be in the future'),
    });
  });

  it('are one JSON document with --json in every command', async () => {
    const { run } = await environment();
    const payload = '{"order_id":"A-2"}';
    const sent = await run([...SEND, '--payload-file', '-', '--json'], { stdin: payload });
    const { message_id } = sent.json<Accepted>();
    const listed = await run(['messages', 'list', '--json']);
    const shown = await run(['--json', 'messages', 'show', message_id]);
    const usage = await run(['usage', '--json']);

    expect(sent.json()).toMatchObject({ status: 'pending', delivery_runs: [{ channel: { name: 'Shop' } }] });
    expect(listed.json()).toMatchObject({ data: [{ id: message_id }], has_more: false, next_cursor: null });
    expect(shown.json()).toMatchObject({ id: message_id, payload: { order_id: 'A-2' } });
    expect(shown.json()).toHaveProperty('delivery_runs.0.attempts');
    expect(usage.json()).toMatchObject({ events: { used: 1 } });
    for (const { stderr } of [sent, listed, shown, usage]) expect(stderr).toBe('');
  });

  it('can be scheduled, and cancelled before they are due', async () => {
    const { run } = await environment();
    const sent = await run([...SEND, '--schedule-at', '2099-01-01T00:00:00Z', '--json']);
    const refused = await run([...SEND, '--schedule-at', 'tomorrow', '--json']);
    const id = sent.json<Accepted>().delivery_runs[0]?.id ?? '';
    const cancelled = await run(['delivery-runs', 'cancel', id]);
    const again = await run(['delivery-runs', 'cancel', id]);

    expect(refused.code).not.toBe(0);
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringMatching(/^status +cancelled$/m) });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/delivery_run_not_cancellable/) });
  });

  it('can be replayed to chosen channels', async () => {
    const { run } = await environment();
    const { message_id, delivery_runs } = (await run([...SEND, '--json'])).json<Accepted>();
    const channel = delivery_runs[0]?.channel.id ?? '';
    const replayed = await run(['messages', 'replay', message_id, '--channels', channel, '--wait']);

    expect(replayed.code).toBe(0);
    expect(replayed.stdout).toMatch(/○ replayed, queued/);
  });

  it('can be listed by page or all at once', async () => {
    const { run } = await environment();
    for (let n = 0; n < 3; n += 1) await run(SEND);
    const first = await run(['messages', 'list', '--limit', '2']);
    const cursor = /--cursor (\S+),/.exec(first.stderr)?.[1] ?? '';
    const second = await run(['messages', 'list', '--limit', '2', '--cursor', cursor]);
    const all = await run(['messages', 'list', '--limit', '2', '--all', '--json']);

    const rows = (text: string) => text.match(/^msg_\w+/gm) ?? [];
    expect(rows(first.stdout)).toHaveLength(2);
    expect([...rows(first.stdout), ...rows(second.stdout)]).toEqual(
      all.json<Page<Message>>().data.map(({ id }) => id),
    );
    expect(second.stderr).toBe('');
    expect(first.stdout.split('\n')[0]).toMatch(/^ID +CREATED AT +EVENT KEY +STATUS +RECIPIENT EMAIL$/);
  });
});

describe('a refusal', () => {
  it('reports every issue, what to do and the request id, and exits with 1', async () => {
    const { run } = await environment();
    const { code, stdout, stderr } = await run([
      'events',
      'send',
      '--event-key',
      'shipped',
      '--to',
      'nobody',
    ]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^validation_failed \(422\): /);
    expect(stderr).toMatch(/^ {2}\/event_key /m);
    expect(stderr).toMatch(/^ {2}\/recipient\/email /m);
    expect(stderr).toMatch(/^Fix these issues/m);
    expect(stderr).toMatch(/^Request cli-[0-9a-f-]{36}, trace [0-9a-f]{32}\.$/m);
  });

  it('exits with 3 for an unknown id', async () => {
    const { run } = await environment();

    expect(await run(['messages', 'show', 'msg_01kb2t5rwhffh8rkc5f0m1ek9q'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^message_not_found \(404\)/),
    });
  });

  it('exits with 4 for a refused token, and does not show it', async () => {
    const env = { POSTRIDER_TOKEN: 'pr_dev_not-a-token' };
    const { code, stderr } = await service.postrider(['usage'], { env });

    expect(code).toBe(4);
    expect(stderr).toMatch(/POSTRIDER_TOKEN/);
    expect(stderr).not.toContain('not-a-token');
  });

  it('is JSON with --json', async () => {
    const { run } = await environment();
    const { stderr } = await run(['messages', 'show', 'msg_x', '--json']);

    expect(JSON.parse(stderr).error).toMatchObject({ code: 'message_not_found', status: 404 });
  });
});

describe('colours', () => {
  const coloured = (text: string) => text.includes('\u001b[');

  it('are only used on a terminal, and never with NO_COLOR, --no-color or --json', async () => {
    const { token, run } = await environment();
    await run(SEND);
    const list = ['messages', 'list'];
    const env = { POSTRIDER_TOKEN: token };

    expect(coloured((await run(list, { terminal: true })).stdout)).toBe(true);
    expect(coloured((await run(list)).stdout)).toBe(false);
    expect(coloured((await run([...list, '--no-color'], { terminal: true })).stdout)).toBe(false);
    expect(coloured((await run([...list, '--json'], { terminal: true })).stdout)).toBe(false);
    const withoutColor = await service.postrider(list, { env: { ...env, NO_COLOR: '1' }, terminal: true });
    expect(coloured(withoutColor.stdout)).toBe(false);
  });
});
