import type { TemplateContext } from '@postrider/domain';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { createRenderer } from '../src/index.ts';
import { type RenderProcess, startRenderProcess } from '../src/render-process.ts';
import type { Work } from '../src/task.ts';

const context: TemplateContext = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com', name: 'Ada' },
  payload: { items: ['a', 'b', 'c'] },
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T00:00:00.000Z',
};
const LIMIT_MS = 30_000;

/** Work whose template is known under a key. A test gives another text for the same key, to see which one is used. */
const workOf = (
  key: string,
  html: string | undefined,
  { owner = 'a', layout }: { owner?: string; layout?: string } = {},
): Extract<Work, { kind: 'email' }> => ({
  kind: 'email',
  owner,
  template: { key, ...(html === undefined ? {} : { content: { subject: 'x', html, text: null } }) },
  resources:
    layout === undefined
      ? null
      : {
          key: 'en UTC 1',
          content: {
            ...{ key: 'en UTC 1', locale: 'en', timezone: 'UTC', partials: {}, catalogs: [] },
            layouts: { main: layout },
          },
        },
  context,
});

describe('the contents that a render process keeps', () => {
  let process: RenderProcess;
  beforeEach(async () => {
    process = startRenderProcess();
    await process.ready;
  });
  afterEach(async () => {
    process.kill();
    await process.ended;
  });

  async function htmlOf(work: Extract<Work, { kind: 'email' }>, within = process): Promise<string | null> {
    const result = await within.perform<'email'>(work, LIMIT_MS);
    if (result.outcome !== 'answered') throw new Error(`${result.outcome}: ${result.message}`);
    if (!result.answer.ok) throw new Error(result.answer.message);
    return result.answer.html;
  }

  it('are sent once per key', async () => {
    expect(await htmlOf(workOf('k', 'first {{ recipient.name }}'))).toBe('first Ada');
    expect(await htmlOf(workOf('k', 'second'))).toBe('first Ada');
    const inLayout = "{% layout 'main' %}{% block b %}1{% endblock %}";
    const layout = '<{% block b %}{% endblock %}>';
    expect(await htmlOf(workOf('l', inLayout, { layout }))).toBe('<1>');
    expect(await htmlOf(workOf('l', inLayout, { layout: 'other' }))).toBe('<1>');
  });

  it('are requested by a process that replaced another', async () => {
    await htmlOf(workOf('k', 'first'));
    process.kill();
    await process.ended;
    process = startRenderProcess();
    await process.ready;
    expect(await htmlOf(workOf('k', 'second'))).toBe('second');
  });

  it('belong to an owner: another owner with the same key has its own', async () => {
    await htmlOf(workOf('k', 'first'));
    expect(await htmlOf(workOf('k', 'second', { owner: 'b' }))).toBe('second');
    expect(await htmlOf(workOf('k', 'third'))).toBe('first');
  });

  it('are requested again if they were evicted, without an error', async () => {
    const large = 'x'.repeat(200_000);
    await htmlOf(workOf('k', 'first'));
    for (let index = 0; index < 40; index += 1) await htmlOf(workOf(`large ${index}`, `${large}${index}`));
    expect(await htmlOf(workOf('k', 'second'))).toBe('second');
    // Another owner's are not dropped for them.
    await htmlOf(workOf('k', 'theirs', { owner: 'b' }));
    for (let index = 0; index < 40; index += 1) await htmlOf(workOf(`more ${index}`, `${large}${index}`));
    expect(await htmlOf(workOf('k', 'changed', { owner: 'b' }))).toBe('theirs');
  });
});

describe('a template that is rendered again', () => {
  it('has no state of an earlier render', async () => {
    const renderer = createRenderer({ processes: 2, timeLimitMs: LIMIT_MS, onError: () => undefined });
    const html = [
      '{% increment n %}{% decrement m %}',
      '{% for i in payload.items %}{% cycle "odd", "even" %}{{ i }}{{ forloop.index }}{% endfor %}',
      '{% for i in payload.items limit: 1 %}{{ i }}{% endfor %}',
      '{% for i in payload.items offset: continue %}{{ i }}{% endfor %}',
      '{% if kept %}{{ kept }}{% else %}none{% endif %}{% assign kept = recipient.name %}',
      '{% capture c %}{{ recipient.name }}{% endcapture %}{{ c }}',
      '{% tablerow i in payload.items cols: 2 %}{{ i }}{% endtablerow %}',
    ].join('|');
    const template = { subject: '{% increment n %}', html, text: null };
    const render = (name: string) =>
      renderer.renderEmail(
        template,
        { ...context, recipient: { ...context.recipient, name } },
        { owner: 'a', part: 'a' },
      );
    try {
      const ada = await render('Ada');
      expect(ada).toMatchObject({ ok: true, html: expect.stringContaining('|none|Ada|') });
      for (let count = 0; count < 4; count += 1) expect(await render('Ada')).toEqual(ada);
      const grace = await render('Grace');
      expect(grace).toEqual(JSON.parse(JSON.stringify(ada).replaceAll('Ada', 'Grace')));
    } finally {
      await renderer.close();
    }
  });
});
