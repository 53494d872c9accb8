import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { createRenderer, type Renderer } from '../src/index.ts';
import { HOSTILE_PAYLOAD, hostileTemplate } from './hostile-templates.ts';

const context = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com' },
  payload: HOSTILE_PAYLOAD,
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T00:00:00.000Z',
};
/** `HOSTILE_TEMPLATES=1000` runs the long form. */
const HOSTILE_COUNT = Number(process.env.HOSTILE_TEMPLATES ?? 60);
/** Two seconds for each template, and a minute for a busy machine. */
const MAX_MS = 60_000 + HOSTILE_COUNT * 2_000;
/** Blocks a process for more than a minute: each part has its own time limit in the template engine. */
const STUCK = Array.from(
  { length: 100 },
  () => '{% for i in (1..999999) %}{% for j in (1..999999) %}{% assign x = j %}{% endfor %}{% endfor %}',
);
/** The template that ended the whole service when templates were rendered in threads. */
const CONCAT_BOMB = `{% assign a = payload.one %}${'{% assign a = a | concat: a %}'.repeat(16)}{{ a }}{% for i in (1..200000) %}x{% endfor %}`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function until(what: string, condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !condition(); await sleep(20)) {
    if (Date.now() > end) throw new Error(`waited without success for ${what}`);
  }
}

describe('render processes', () => {
  let renderer: Renderer;
  let errors: unknown[];
  beforeEach(() => {
    errors = [];
    renderer = createRenderer({ processes: 2, timeLimitMs: 30_000, onError: (error) => errors.push(error) });
  });
  afterEach(() => renderer.close());

  const mine = { owner: 'a', part: 'a' };
  const render = (html: string, key = mine) =>
    renderer.renderEmail({ subject: 'x', html, text: null }, context, key);

  it('fail only the current render when they are killed, and are replaced', async () => {
    expect(await render('fine')).toMatchObject({ ok: true });
    const before = renderer.pids();
    const stuck = renderer.previewJson(STUCK, context, mine);
    const other = render('fine', { owner: 'b', part: 'b' });
    expect(await other).toMatchObject({ ok: true });
    for (const pid of before) process.kill(pid, 'SIGKILL');
    expect(await stuck).toMatchObject({
      ok: false,
      reason: 'lost',
      message: expect.stringContaining('SIGKILL'),
    });
    expect(await render('fine')).toMatchObject({ ok: true });
    expect(before.some((pid) => renderer.pids().includes(pid))).toBe(false);
    expect(errors).toEqual([]);
  });

  it('hand the work of a dying process to another one', async () => {
    expect(await render('fine')).toMatchObject({ ok: true });
    for (const pid of renderer.pids()) process.kill(pid, 'SIGKILL');
    expect(await Promise.all([render('fine'), render('fine', { owner: 'b', part: 'b' })])).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
  });

  it('contain lists that double, in every part and in a preview', async () => {
    const template = { subject: CONCAT_BOMB, html: CONCAT_BOMB, text: CONCAT_BOMB };
    for (const part of ['subject', 'html', 'text'] as const) {
      const hostile = { subject: 'x', html: null, text: null, [part]: CONCAT_BOMB };
      expect(await renderer.renderEmail(hostile, context, mine)).toMatchObject({
        ok: false,
        reason: 'template',
      });
    }
    const preview = await renderer.previewEmail(template, context, mine);
    expect(preview).toMatchObject({ ok: true, answer: { rendered: null, issues: expect.any(Array) } });
    expect(await renderer.renderJson({ a: CONCAT_BOMB }, context, mine)).toMatchObject({ ok: false });
  });

  it('end when the pool is closed, even if they are busy', async () => {
    expect(await render('fine')).toMatchObject({ ok: true });
    const pids = renderer.pids();
    const stuck = renderer.previewJson(STUCK, context, mine);
    await renderer.close();
    await stuck;
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await render('fine')).toMatchObject({ ok: false, reason: 'busy' });
  });

  it('do not see environment variables', async () => {
    const name = 'POSTRIDER_RENDER_TEST_SECRET';
    process.env[name] = 'secret';
    const other = createRenderer({ processes: 2, onError: (error) => errors.push(error) });
    try {
      expect(await other.renderJson('x', context, mine)).toMatchObject({ ok: true });
      const pids = process.platform === 'linux' ? other.pids() : [];
      const scores = [];
      for (const pid of pids) {
        expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain(name);
        scores.push((await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).trim());
      }
      // The process that has rendered; the other may still be starting.
      if (pids.length > 0) expect(scores).toContain('1000');
    } finally {
      delete process.env[name];
      await other.close();
    }
  });

  it('exit with their parent, even during a step that never ends', async () => {
    const index = new URL('../dist/index.js', import.meta.url).href;
    const script = `
      import { createRenderer } from ${JSON.stringify(index)};
      const renderer = createRenderer({ processes: 2, timeLimitMs: 600_000, onError: console.error });
      const context = ${JSON.stringify({ ...context, payload: {} })};
      const small = ['b', 'c'].map((owner) => renderer.renderJson('x', context, { owner, part: owner }));
      await Promise.all(small);
      void renderer.previewJson(${JSON.stringify(STUCK)}, context, { owner: 'a', part: 'a' });
      setTimeout(() => console.log(renderer.pids().join(' ')), 300);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {},
    });
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const pids = line.split(' ').map(Number);
    expect(pids.filter(isAlive)).toHaveLength(2);
    parent.kill('SIGKILL');
    await until('the render processes to end', () => !pids.some(isAlive));
  });

  it(
    `contain ${HOSTILE_COUNT} generated templates, and render for others meanwhile`,
    async () => {
      const ends = new Map<string, number>();
      for (let number = 0; number < HOSTILE_COUNT; number += 1) {
        const hostile = render(hostileTemplate(number), { owner: 'hostile', part: `${number % 5}` });
        const other = await render('{{ recipient.email }}', { owner: 'good', part: 'good' });
        expect([number, other]).toMatchObject([number, { ok: true, html: 'ada@example.com' }]);
        const result = await hostile;
        const end = result.ok ? 'rendered' : result.reason;
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
      expect(['busy', 'lost'].filter((reason) => ends.has(reason))).toEqual([]);
      expect(errors).toEqual([]);
    },
    MAX_MS,
  );
});
