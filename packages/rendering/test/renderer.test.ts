import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRenderer, type Renderer } from '../src/index.ts';

const context = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com', name: 'Ada' },
  payload: { title: '<b>Engines</b>', list: Array.from({ length: 2_000 }, (_, index) => index) },
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T00:00:00.000Z',
};
const LONG = '{% for i in (1..999999) %}{% for j in (1..999999) %}{% assign x = j %}{% endfor %}{% endfor %}';
const HUNGRY =
  '{% assign s = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" %}{% for i in (1..40) %}{% assign s = s | append: s %}{% endfor %}{{ s }}';

describe('the render pool', () => {
  let renderer: Renderer;
  const errors: unknown[] = [];

  beforeAll(() => {
    renderer = createRenderer({ threads: 2, timeLimitMs: 300, onError: (error) => errors.push(error) });
  });
  afterAll(() => renderer.close());

  const render = (html: string, key: string, signal?: AbortSignal) =>
    renderer.renderEmail({ subject: 'Hi {{ recipient.name }}', html, text: null }, context, {
      key,
      ...(signal ? { signal } : {}),
    });

  it('renders an email and derives the text from its HTML', async () => {
    const result = await render(
      '<p>Dear {{ payload.title }}, <a href="https://x.example/1">see</a></p>',
      'a',
    );
    expect(result).toEqual({
      ok: true,
      subject: 'Hi Ada',
      html: '<p>Dear &lt;b&gt;Engines&lt;/b&gt;, <a href="https://x.example/1">see</a></p>',
      text: 'Dear <b>Engines</b>, see [https://x.example/1]',
    });
  });

  it('renders the leaves of a JSON template', async () => {
    const result = await renderer.renderJson({ text: ['{{ recipient.name }}', 1, null] }, context, {
      key: 'a',
    });
    expect(result).toEqual({ ok: true, value: { text: ['Ada', 1, null] } });
  });

  it('tells a template that fails from one that is cut off', async () => {
    expect(await render('{{ payload.absent }}', 'a')).toMatchObject({ ok: false, reason: 'template' });
  });

  it('checks templates without a context', async () => {
    const result = await renderer.checkEmail(
      { subject: 'x', html: '{{ a | nothing }}', text: null },
      { key: 'a' },
    );
    expect(result).toMatchObject({ ok: true, faults: [{ path: '/html' }] });
    expect(await renderer.checkJson({ a: '{{ b }}' }, { key: 'a' })).toEqual({ ok: true, faults: [] });
  });

  it('cuts off a template that takes too long or too much, and renders on', async () => {
    const hostile = await Promise.all([render(LONG, 'bad'), render(HUNGRY, 'bad')]);
    expect(hostile).toMatchObject([
      { ok: false, reason: 'cut_off' },
      { ok: false, reason: 'template' },
    ]);
    expect(await render('fine', 'good')).toMatchObject({ ok: true });
  });

  it('lets the renders of others pass while many of one key take their full time', async () => {
    const finished: string[] = [];
    const hostile = Array.from({ length: 6 }, () => render(LONG, 'bad').finally(() => finished.push('bad')));
    const other = render('fine', 'good').finally(() => finished.push('good'));
    expect(await other).toMatchObject({ ok: true });
    await Promise.all(hostile);
    expect(finished.indexOf('good')).toBeLessThanOrEqual(1);
  });

  it('gives up a render that still waits when its caller does', async () => {
    const hostile = Array.from({ length: 3 }, () => render(LONG, 'bad'));
    const caller = new AbortController();
    const waiting = render('fine', 'bad', caller.signal);
    caller.abort();
    expect(await waiting).toMatchObject({ ok: false, reason: 'busy' });
    await Promise.all(hostile);
  });

  it('refuses rather than let the queue grow without bound', async () => {
    const small = createRenderer({ threads: 2, maxWaiting: 1, onError: (error) => errors.push(error) });
    const results = await Promise.all(
      Array.from({ length: 3 }, () => small.renderJson('{{ recipient.name }}', context, { key: 'one' })),
    );
    expect(results.filter((result) => !result.ok && result.reason === 'busy')).toHaveLength(1);
    await small.close();
  });
});
