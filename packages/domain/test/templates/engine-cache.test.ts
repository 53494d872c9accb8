import { describe, expect, it } from '@postrider/testing';
import { cacheByResources, htmlEngine, plainEngine } from '../../src/templates/engine.ts';
import {
  DEFAULT_RESOURCES,
  planResources,
  type TemplateResources,
  toResources,
} from '../../src/templates/resources.ts';
import type { TemplateContext } from '../../src/templates/template-types.ts';

/** A new object each time, as in a process that receives one with every render. */
const resourcesOf = (changes: Partial<TemplateResources>): TemplateResources =>
  structuredClone({ ...DEFAULT_RESOURCES, ...changes });

function context(resources: TemplateResources, payload = {}): TemplateContext {
  return {
    ...{ event_key: 'order.shipped', recipient: { email: 'ada@example.com' }, payload },
    ...{ message_id: 'msg_1', delivery_run_id: 'run_1', timestamp: '2026-11-22T10:00:00.000Z' },
    resources,
  };
}

describe('the engine of resources', () => {
  function counting() {
    const created: string[] = [];
    const engineOf = cacheByResources(({ key = 'none' }) => {
      created.push(key);
      return {};
    });
    return { created, engineOf };
  }

  it('is created once per key, for any object with this key', () => {
    const { created, engineOf } = counting();
    const first = engineOf(resourcesOf({ key: 'a' }));
    expect(engineOf(resourcesOf({ key: 'a' }))).toBe(first);
    expect(engineOf(resourcesOf({ key: 'b' }))).not.toBe(first);
    expect(created).toEqual(['a', 'b']);
  });

  it('is created once per object without a key', () => {
    const { created, engineOf } = counting();
    const resources = resourcesOf({});
    expect(engineOf(resources)).toBe(engineOf(resources));
    engineOf(resourcesOf({}));
    expect(created).toEqual(['none', 'none']);
  });

  it.each([
    ['with long messages', { catalogs: [{ locale: 'en', messages: { a: 'x'.repeat(2_000_000) } }] }],
    ['with many tags', { partials: { a: '{{a|b|c}}'.repeat(20_000) } }],
    ['whose tags are not closed', { layouts: { a: '{{'.repeat(20_000) } }],
  ])('that takes too much memory is not kept after its render: %s', (_what, changes) => {
    const { created, engineOf } = counting();
    const resources = resourcesOf({ key: 'large', ...changes });
    expect(engineOf(resources)).toBe(engineOf(resources));
    engineOf(resourcesOf({ key: 'large', ...changes }));
    expect(created).toEqual(['large', 'large']);
  });

  it('is evicted when others need its memory', () => {
    const { created, engineOf } = counting();
    for (let index = 0; index < 1_000; index += 1) engineOf(resourcesOf({ key: `${index}` }));
    engineOf(resourcesOf({ key: '999' }));
    engineOf(resourcesOf({ key: '0' }));
    expect(created.slice(1_000)).toEqual(['0']);
  });
});

describe('a render with a shared engine', () => {
  const partials = {
    counter: '{% increment n %}{% assign x = payload.x %}{{ x }}{% cycle "a", "b" %}',
    loop: '{% for i in payload.list limit: 1 offset: continue %}{{ i }}{% endfor %}',
  };
  const source =
    "{% render 'counter' %}{% render 'counter' %}{% render 'loop' %}{% render 'loop' %}{% increment n %}";

  it('does not see data of other renders', () => {
    for (const engine of [plainEngine, htmlEngine]) {
      const rendered = [1, 2, 3].map((x) => {
        const resources = resourcesOf({ key: 'shared state', partials });
        return engine.render(source, '', context(resources, { x, list: [7, 8] }));
      });
      expect(rendered).toEqual(
        [1, 2, 3].map((x) => ({ ok: true, text: expect.stringMatching(`^0${x}[ab]0${x}[ab]7[78]0$`) })),
      );
      expect(new Set(rendered.map((one) => one.ok && one.text.replace(/\d/g, ''))).size).toBe(1);
    }
  });

  it('works after another one failed, even in a partial', () => {
    const broken = { partials: { item: '{{ payload.missing }}' }, key: 'fails' };
    const render = (payload: object) =>
      plainEngine.render("{% render 'item' %}", '', context(resourcesOf(broken), payload));
    expect(render({})).toMatchObject({ ok: false, issues: [{ part: 'partial item' }] });
    expect(render({ missing: 'there' })).toEqual({ ok: true, text: 'there' });
    expect(render({})).toMatchObject({ ok: false, issues: [{ part: 'partial item' }] });
  });
});

describe('the resources of a plan', () => {
  const part = (id: string, type: 'layout' | 'translation', name: string) => ({ id, type, name, version: 1 });
  const german = part('3', 'translation', 'de');
  const contents = new Map<string, string | Record<string, string>>([
    ...([1, 2].map((id) => [`${id}`, 'layout']) as [string, string][]),
    ['3', {}],
  ]);
  const keyOf = (layout: string, recipient = {}) => {
    const template = { parts: [part(layout, 'layout', 'main'), german], defaultLocale: 'en' };
    const plan = planResources(template, recipient);
    return plan && toResources(plan, contents).key;
  };

  it('have a key of their own for each version, language and time zone', () => {
    const keys = [
      keyOf('1'),
      keyOf('2'),
      keyOf('1', { locale: 'de' }),
      keyOf('1', { locale: 'de-AT' }),
      keyOf('1', { timezone: 'Europe/Berlin' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyOf('1', { locale: 'de' })).toBe(keyOf('1', { locale: 'de' }));
  });
});
