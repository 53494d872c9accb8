import { describe, expect, it } from '@postrider/testing';
import {
  checkTemplate,
  type EmailTemplate,
  previewEmailTemplate,
  renderEmailTemplate,
  type TemplateContext,
  type TemplateResources,
  usesOf,
} from '../../src/index.ts';

const RESOURCES: TemplateResources = {
  locale: 'en',
  timezone: 'UTC',
  layouts: {
    main: '<html lang="{{ locale }}" dir="{{ dir }}"><h1>{% block title %}Shop{% endblock %}</h1>{% block %}{% endblock %}</html>',
    outer: '<o>{% block inner %}{% endblock %}</o>',
    nested: "{% layout 'outer' %}{% block inner %}<i>{% block %}{% endblock %}</i>{% endblock %}",
    'half-broken': '<p>\n  {{ payload.absent }}{% block %}{% endblock %}</p>',
  },
  partials: {
    footer: '<p>To {{ recipient.name }}{{ note }}</p>',
    item: '{{ forloop.index | default: "one" }}:{{ item }};',
    broken: '<p>\n  {{ payload.absent }}</p>',
    wrong: '{% if %}',
    main: 'a partial of the same name',
  },
  catalogs: [],
};

const context = (resources: TemplateResources = RESOURCES): TemplateContext => ({
  event_key: 'order.shipped',
  recipient: { name: '<Ada>' },
  payload: { list: ['a', 'b'] },
  message_id: 'msg_1',
  delivery_run_id: 'run_1',
  timestamp: '2026-11-21T09:00:00.000Z',
  resources,
});

const email = (html: string): EmailTemplate => ({ subject: 'S', html, text: null });

function htmlOf(html: string): string | null {
  const rendered = renderEmailTemplate(email(html), context());
  if (!rendered.ok) throw new Error(rendered.message);
  return rendered.html;
}

describe('layouts', () => {
  it('surround a template, which fills their blocks', () => {
    expect(htmlOf("{% layout 'main' %}<p>Hello</p>")).toBe(
      '<html lang="en" dir="ltr"><h1>Shop</h1><p>Hello</p></html>',
    );
    expect(
      htmlOf("{% layout 'main' %}{% block title %}Hi {{ recipient.name }}{% endblock %}<p></p>"),
    ).toContain('<h1>Hi &lt;Ada&gt;</h1>');
  });

  it('can be used in layouts', () => {
    expect(htmlOf("{% layout 'nested' %}x")).toBe('<o><i>x</i></o>');
  });
});

describe('partials', () => {
  it('see the event and their arguments, but not variables that the template has assigned', () => {
    expect(htmlOf("{% render 'footer', note: '!' %}")).toBe('<p>To &lt;Ada&gt;!</p>');
    const assigned = renderEmailTemplate(email("{% assign note = '!' %}{% render 'footer' %}"), context());
    expect(assigned).toMatchObject({
      ok: false,
      message: expect.stringContaining('undefined variable: note'),
    });
  });

  it('are rendered for each item of a list', () => {
    expect(htmlOf("{% render 'item' for payload.list %}")).toBe('1:a;2:b;');
    expect(htmlOf("{% render 'item' with payload.list[1] as item, forloop: payload %}")).toBe('one:b;');
  });

  it('may have the same name as a layout', () => {
    expect(htmlOf("{% render 'main' %}")).toBe('a partial of the same name');
  });
});

describe('errors in a part', () => {
  it('are reported with the part and the position in it', () => {
    const rendered = renderEmailTemplate(email("x\n{% render 'broken' %}"), context());
    expect(rendered).toMatchObject({
      ok: false,
      message: 'html: undefined variable: payload.absent (partial broken, line 2, column 6)',
      issues: [{ path: '/html', part: 'partial broken', line: 2, column: 6 }],
    });
    const wrong = renderEmailTemplate(email("x\n{% render 'wrong' %}"), context());
    expect(wrong).toMatchObject({ ok: false, issues: [{ path: '/html', part: 'partial wrong', line: 1 }] });
  });

  it('do not stop a preview if they are missing variables', () => {
    const previewed = previewEmailTemplate(email("{% layout 'half-broken' %}x"), context());
    expect(previewed).toMatchObject({
      rendered: { html: '<p>\n  x</p>' },
      missing: [{ path: '/html', name: 'payload.absent', part: 'layout half-broken', line: 2, column: 6 }],
      issues: [],
    });
  });
});

describe('the references of a template', () => {
  const check = (html: string) =>
    checkTemplate({ format: 'email', subject: "{{ 'subject' | t }}", html, text: null, mjml: null });

  it('are found by the check, with their positions', () => {
    const checked = check(
      "{% layout 'main' %}\n {% if true %}{% render 'footer' %}{% endif %}{{ payload.key | t }}",
    );
    if (checked.outcome !== 'sound') throw new Error('it is sound');
    expect(checked.references).toEqual([
      { type: 'translation', name: 'subject', path: '/subject', line: 1, column: 4 },
      { type: 'translation', name: null, path: '/html', line: 2, column: 62 },
      { type: 'partial', name: 'footer', path: '/html', line: 2, column: 15 },
      { type: 'layout', name: 'main', path: '/html', line: 1, column: 1 },
    ]);
    expect(usesOf(checked.references)).toEqual([
      'messages',
      'message:subject',
      'partial:footer',
      'layout:main',
    ]);
  });

  it.each([
    '{% render payload.name %}',
    '{% layout recipient.layout %}',
    "{% render 'a{{ payload.b }}' %}",
    "{% render '../secret' %}",
    "{% render '/etc/passwd' %}",
    "{% render '__proto__' %}",
    "{% include 'footer' %}",
  ])('are literals, never computed: %s', (html) => {
    expect(check(html)).toMatchObject({ outcome: 'invalid', issues: [{ path: '/html', line: 1 }] });
  });
});

describe('a template', () => {
  it('cannot choose its own resources', () => {
    const rendered = renderEmailTemplate(email('{{ resources.partials.footer }}'), context());
    expect(rendered).toMatchObject({ ok: false });
  });

  it('cannot load parts that are not among its resources', () => {
    expect(renderEmailTemplate(email("{% render 'constructor' %}"), context())).toMatchObject({ ok: false });
    expect(renderEmailTemplate(email("{% render 'absent' %}"), context())).toMatchObject({ ok: false });
  });
});
