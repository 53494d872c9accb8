import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createRenderer, type Renderer } from '../src/index.ts';

const context = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com', name: 'Ada' },
  payload: { title: '<b>Engines</b>', list: Array.from({ length: 2_000 }, (_, index) => index) },
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T00:00:00.000Z',
};
/** Below the template engine's own limit, which would end the render first. */
const TIME_LIMIT_MS = 600;
const LONG = '{% for i in (1..999999) %}{% for j in (1..999999) %}{% assign x = j %}{% endfor %}{% endfor %}';
const HUNGRY =
  '{% assign s = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" %}{% for i in (1..40) %}{% assign s = s | append: s %}{% endfor %}{{ s }}';

describe('the render pool', () => {
  let renderer: Renderer;
  const errors: unknown[] = [];

  beforeAll(async () => {
    renderer = createRenderer({
      processes: 2,
      timeLimitMs: TIME_LIMIT_MS,
      onError: (error) => errors.push(error),
    });
    // A process compiles the engine in its first render, which is slow on a busy machine.
    await waitFor('both processes to render in time', async () => {
      const first = await Promise.all([render('<p>fine</p>', 'one'), render('<p>fine</p>', 'two')]);
      return first.every(({ ok }) => ok) && renderer.pids().length === 2;
    });
  });
  afterAll(() => renderer.close());

  const render = (html: string, key: string, signal?: AbortSignal) =>
    renderer.renderEmail({ subject: 'Hi {{ recipient.name }}', html, text: null }, context, {
      owner: key,
      part: 'part',
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
      owner: 'a',
      part: 'part',
    });
    expect(result).toEqual({ ok: true, value: { text: ['Ada', 1, null] } });
  });

  it('distinguishes a template that fails from one that is cut off', async () => {
    expect(await render('{{ payload.absent }}', 'a')).toMatchObject({ ok: false, reason: 'template' });
  });

  it('checks a new template, and compiles it where it is MJML', async () => {
    const content = { format: 'email', subject: 'x', text: null, mjml: null } as const;
    expect(
      await renderer.prepare({ ...content, html: '{{ a | nothing }}' }, { owner: 'a', part: 'part' }),
    ).toMatchObject({
      ok: true,
      answer: { outcome: 'invalid', issues: [{ path: '/html', line: 1, column: 1 }] },
    });
    const mjml = '<mjml><mj-body><mj-raw>{{ recipient.name }}</mj-raw></mj-body></mjml>';
    expect(await renderer.prepare({ ...content, html: mjml }, { owner: 'a', part: 'part' })).toMatchObject({
      ok: true,
      answer: {
        outcome: 'sound',
        template: { html: expect.stringMatching(/^\s*<!doctype html>.*{{ recipient.name }}/s), mjml },
      },
    });
    expect(
      await renderer.prepare({ format: 'json', body: { a: '{{' } }, { owner: 'a', part: 'part' }),
    ).toMatchObject({
      ok: true,
      answer: { outcome: 'invalid', issues: [{ path: '/body/a', line: 1, column: 1 }] },
    });
  });

  it('previews with blanks for missing values, and warns about the result', async () => {
    const template = {
      subject: 'Hi {{ recipient.name }}',
      html: '<a href="{{ payload.url }}">x</a>',
      text: null,
    };
    expect(await renderer.previewEmail(template, context, { owner: 'a', part: 'part' })).toEqual({
      ok: true,
      answer: {
        rendered: { subject: 'Hi Ada', html: '<a href="">x</a>', text: 'x' },
        missing: [{ path: '/html', name: 'payload.url', line: 1, column: 13 }],
        issues: [],
        warnings: [
          expect.objectContaining({ code: 'text_derived', path: '/text' }),
          expect.objectContaining({ code: 'link_broken', path: '/html' }),
        ],
      },
    });
    expect(
      await renderer.previewJson({ a: '{{ payload.nope }}!' }, context, { owner: 'a', part: 'part' }),
    ).toEqual({
      ok: true,
      answer: {
        rendered: { a: '!' },
        missing: [{ path: '/a', name: 'payload.nope', line: 1, column: 4 }],
        issues: [],
      },
    });
  });

  it('reports positions in the MJML of a compiled email', async () => {
    const mjml =
      '<mjml><mj-body><mj-section><mj-column><mj-text>{{ payload.nope }}</mj-text></mj-column></mj-section></mj-body></mjml>';
    const content = { format: 'email', subject: 'x', text: 'x', mjml: null, html: mjml } as const;
    const prepared = await renderer.prepare(content, { owner: 'a', part: 'part' });
    if (!prepared.ok || prepared.answer.outcome !== 'sound') throw new Error('it did not compile');
    const template = prepared.answer.template as {
      html: string;
      mjml: string;
      subject: string;
      text: string;
    };
    const place = { line: 1, column: mjml.indexOf('payload.nope') + 1 };
    expect(await renderer.previewEmail(template, context, { owner: 'a', part: 'part' })).toMatchObject({
      answer: { missing: [{ path: '/html', name: 'payload.nope', ...place }] },
    });
    expect(await renderer.renderEmail(template, context, { owner: 'a', part: 'part' })).toMatchObject({
      ok: false,
      reason: 'template',
      message: `html: undefined variable: payload.nope (line 1, column ${place.column})`,
    });
  });

  it('renders a large sound template with loops over a thousand items', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({ name: `Item <${index}>`, price: index }));
    const row =
      '{% for i in payload.items %}<tr><td>{{ i.name | upcase | truncate: 40 }}</td><td>{{ i.price | times: 2 | round: 2 }}</td><td>{{ payload.items | size }}</td></tr>{% endfor %}';
    const html = `<p>${'Words, words, words. '.repeat(5_000)}</p><table>${row}</table>{{ payload.items | map: "name" | join: ", " }}`;
    const patient = createRenderer({ timeLimitMs: 30_000, onError: (error) => errors.push(error) });
    const large = { ...context, payload: { items } };
    expect(
      await patient.renderEmail({ subject: 'x', html, text: 'x' }, large, { owner: 'a', part: 'part' }),
    ).toMatchObject({ ok: true });
    await patient.close();
  });

  it('cuts off a preview as it cuts off a render', async () => {
    const preview = renderer.previewEmail({ subject: 'x', html: LONG, text: null }, context, {
      owner: 'a',
      part: 'part',
    });
    expect(await preview).toMatchObject({ ok: false, reason: 'cut_off' });
  });

  it('starts processes when there is work, and ends them when they are idle', async () => {
    const rare = createRenderer({ processes: 2, restMs: 50, onError: (error) => errors.push(error) });
    expect(rare.pids()).toEqual([]);
    expect(
      await rare.renderJson('{{ recipient.name }}', context, { owner: 'one', part: 'part' }),
    ).toMatchObject({
      ok: true,
    });
    await waitFor('the idle process to end', () => rare.pids().length === 0);
    await rare.close();
  });

  it('cuts off a template that takes too much time or memory, and continues with others', async () => {
    const hostile = await Promise.all([render(LONG, 'bad'), render(HUNGRY, 'bad')]);
    expect(hostile).toMatchObject([
      { ok: false, reason: 'cut_off' },
      { ok: false, reason: 'template' },
    ]);
    expect(await render('fine', 'good')).toMatchObject({ ok: true });
  });

  it('renders for others while many slow renders of one key wait', async () => {
    const finished: string[] = [];
    const hostile = Array.from({ length: 6 }, () => render(LONG, 'bad').finally(() => finished.push('bad')));
    const other = render('fine', 'good').finally(() => finished.push('good'));
    expect(await other).toMatchObject({ ok: true });
    await Promise.all(hostile);
    expect(finished.indexOf('good')).toBeLessThanOrEqual(1);
  });

  it('drops a waiting render when its caller gives up', async () => {
    const hostile = Array.from({ length: 3 }, () => render(LONG, 'bad'));
    const caller = new AbortController();
    const waiting = render('fine', 'bad', caller.signal);
    caller.abort();
    expect(await waiting).toMatchObject({ ok: false, reason: 'busy' });
    await Promise.all(hostile);
  });

  it('refuses work when the queue is full', async () => {
    const small = createRenderer({ processes: 2, maxWaiting: 1, onError: (error) => errors.push(error) });
    const results = await Promise.all(
      Array.from({ length: 3 }, () =>
        small.renderJson('{{ recipient.name }}', context, { owner: 'one', part: 'part' }),
      ),
    );
    expect(results.filter((result) => !result.ok && result.reason === 'busy')).toHaveLength(1);
    await small.close();
  });
});
