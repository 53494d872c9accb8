import type { ClaimedRun } from '@postrider/db';
import type { PinnedPart } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { createLoadResources } from '../../src/deliver/template-parts.ts';

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

const runOf = (parts: readonly PinnedPart[] | null, recipient = {}) =>
  ({
    environmentId: 'env',
    template: { parts, defaultLocale: 'en' },
    message: { recipient },
  }) as unknown as ClaimedRun;

function createLoading(maxCharacters?: number) {
  const reads: string[][] = [];
  const load = createLoadResources(async (_environmentId, parts) => {
    reads.push(parts.map(({ id }) => id));
    return parts.map(({ id, type }) => ({
      id,
      content: type === 'translation' ? { hello: id } : `source of ${id}`,
      characters: 1_000,
    }));
  }, maxCharacters);
  return { load, reads };
}

describe('the parts of a run’s template', () => {
  it('are read once, with only the translations of the recipient’s language and its fallbacks', async () => {
    const { load, reads } = createLoading();
    expect(await load(runOf(PARTS, { locale: 'fr-CA' }))).toMatchObject({
      locale: 'fr-CA',
      layouts: { main: 'source of l' },
      catalogs: [{ locale: 'fr' }, { locale: 'en' }],
    });
    await load(runOf(PARTS, { locale: 'fr' }));
    await load(runOf(PARTS));
    expect(reads).toEqual([['l', 'fr', 'en']]);
    await load(runOf(PARTS, { locale: 'ar' }));
    expect(reads.slice(1)).toEqual([['ar']]);
  });

  it('need no query if there are none', async () => {
    const { load, reads } = createLoading();
    expect(await load(runOf(null))).toBeNull();
    expect(await load(runOf(null, { locale: 'de' }))).toMatchObject({ locale: 'de', catalogs: [] });
    expect(await load({ ...runOf(null), template: null })).toBeNull();
    expect(reads.flat()).toEqual([]);
  });

  it('are cached up to a number of characters, and read again after eviction', async () => {
    const { load, reads } = createLoading(2_500);
    const layouts = ['a', 'b', 'c'].map((id) => part(id, 'layout', id));
    for (const layout of [...layouts, ...layouts]) await load(runOf([layout]));
    expect(reads).toHaveLength(6);
  });

  it('fail if one is missing, instead of sending something else', async () => {
    const load = createLoadResources(async () => []);
    await expect(load(runOf(PARTS))).rejects.toThrow('there is no content of the part');
  });
});
