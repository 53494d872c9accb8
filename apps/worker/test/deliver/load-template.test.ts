import type { ClaimedRun } from '@postrider/db';
import type { PinnedPart } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { createLoadTemplate } from '../../src/deliver/prepare-run.ts';

const part = (id: string, type: PinnedPart['type'], name: string): PinnedPart => ({
  id,
  type,
  name,
  version: 1,
});
const PARTS = [
  part('l', 'layout', 'main'),
  part('en', 'translation', 'en'),
  part('fr', 'translation', 'fr'),
  part('ar', 'translation', 'ar'),
];

const runOf = (templateVersionId: string | null, recipient = {}) =>
  ({ environmentId: 'env', templateVersionId, message: { recipient } }) as unknown as ClaimedRun;

/** Loads from stored templates, by their ids, with these parts. */
function createLoading(
  stored: Readonly<Record<string, readonly PinnedPart[] | null>>,
  { maxCharacters, hasContents = true }: { maxCharacters?: number; hasContents?: boolean } = {},
) {
  const templates: string[] = [];
  const contents: string[][] = [];
  const load = createLoadTemplate(
    {
      async template(environmentId, id) {
        templates.push(`${environmentId} ${id}`);
        const parts = stored[id];
        const html = 'x'.repeat(1_000);
        const content = { id, subject: '', html, text: null, mjml: null, body: null, envelope: null };
        return parts === undefined ? null : { ...content, parts, defaultLocale: 'en' };
      },
      async contents(_environmentId, parts) {
        contents.push(parts.map(({ id }) => id));
        if (!hasContents) return [];
        return parts.map(({ id, type }) => ({
          id,
          content: type === 'translation' ? { hello: id } : `source of ${id}`,
          characters: 1_000,
        }));
      },
    },
    maxCharacters,
  );
  return { load, templates, contents };
}

describe('the template of a run', () => {
  it('is read once, also by runs that start together, and is the same object for each of them', async () => {
    const { load, templates } = createLoading({ t: null });
    const [first, second] = await Promise.all([load(runOf('t')), load(runOf('t'))]);
    const third = await load(runOf('t', { locale: 'de' }));
    expect(first).toMatchObject({ template: { id: 't' }, resources: null });
    expect(second.template).toBe(first.template);
    expect(third.template).toBe(first.template);
    expect(templates).toEqual(['env t']);
    expect(await load(runOf(null))).toEqual({ template: null, resources: null });
  });

  it('is kept up to a number of characters, and read again after that', async () => {
    const { load, templates } = createLoading({ a: null, b: null, c: null }, { maxCharacters: 3_000 });
    for (const id of ['a', 'b', 'c', 'a', 'b', 'c']) await load(runOf(id));
    expect(templates).toHaveLength(6);
  });

  it('is an error where it is not there, and is looked for again', async () => {
    const { load, templates } = createLoading({});
    await expect(load(runOf('t'))).rejects.toThrow('there is no template version t');
    await expect(load(runOf('t'))).rejects.toThrow('there is no template version t');
    expect(templates).toHaveLength(2);
  });
});

describe('the parts of a run’s template', () => {
  it('are read once, and of the translations those that the recipient’s language falls back to', async () => {
    const { load, contents } = createLoading({ t: PARTS });
    expect(await load(runOf('t', { locale: 'fr-CA' }))).toMatchObject({
      resources: {
        locale: 'fr-CA',
        layouts: { main: 'source of l' },
        catalogs: [{ locale: 'fr' }, { locale: 'en' }],
      },
    });
    await load(runOf('t', { locale: 'fr' }));
    await load(runOf('t'));
    expect(contents).toEqual([['l', 'fr', 'en']]);
    await load(runOf('t', { locale: 'ar' }));
    expect(contents.slice(1)).toEqual([['ar']]);
  });

  it('take no statement where there are none', async () => {
    const { load, contents } = createLoading({ t: null });
    expect(await load(runOf('t'))).toMatchObject({ resources: null });
    expect(await load(runOf('t', { locale: 'de' }))).toMatchObject({
      resources: { locale: 'de', catalogs: [] },
    });
    expect(contents).toEqual([]);
  });

  it('are kept up to a number of characters, and read again after that', async () => {
    const ids = ['a', 'b', 'c'];
    const stored = Object.fromEntries(ids.map((id) => [id, [part(id, 'layout', id)]]));
    const { load, contents } = createLoading(stored, { maxCharacters: 2_500 });
    for (const id of [...ids, ...ids]) await load(runOf(id));
    expect(contents).toHaveLength(6);
  });

  it('are an error where one is not there, which is no reason to send something else', async () => {
    const { load } = createLoading({ t: PARTS }, { hasContents: false });
    await expect(load(runOf('t'))).rejects.toThrow('there is no content of the part');
  });
});
