import { describe, expect, it } from '@postrider/testing';
import {
  isAffected,
  MAX_PARTS_CHARACTERS,
  type PartSummary,
  type PartType,
  resolveParts,
} from '../../src/index.ts';

const part = (type: PartType, name: string, uses: string[] = [], characters = 10): PartSummary => ({
  id: `${type} ${name}`,
  type,
  name,
  version: 1,
  uses,
  characters,
});

const idsOf = (uses: string[], available: PartSummary[]) => {
  const resolved = resolveParts(uses, available);
  return resolved.ok ? resolved.parts.map(({ id }) => id) : resolved.problem;
};

describe('the parts of a template', () => {
  it('are those that it uses directly or through other parts, and all translations if any of them translates', () => {
    const available = [
      part('layout', 'main', ['partial:footer']),
      part('partial', 'footer', ['messages', 'message:bye']),
      part('partial', 'unused'),
      part('translation', 'en'),
      part('translation', 'fr'),
    ];
    expect(resolveParts(['layout:main', 'partial:footer'], available)).toMatchObject({
      ok: true,
      messageKeys: ['bye'],
      translates: true,
    });
    expect(idsOf(['layout:main'], available)).toEqual([
      'layout main',
      'partial footer',
      'translation en',
      'translation fr',
    ]);
    expect(idsOf([], available)).toEqual([]);
  });

  it('cannot be missing', () => {
    expect(idsOf(['layout:main'], [part('layout', 'main', ['partial:gone'])])).toEqual({
      use: 'partial:gone',
      within: 'layout:main',
      message: 'there is no active partial gone',
    });
  });

  it.each([[['partial:a']], [['partial:c', 'partial:a']]])('cannot use themselves: %s', (uses) => {
    const circle = [
      part('partial', 'a', ['partial:b']),
      part('partial', 'b', ['partial:a']),
      part('partial', 'c', ['partial:b']),
    ];
    expect(idsOf(uses, circle)).toMatchObject({ message: expect.stringContaining('a circular reference') });
  });

  it('cannot be nested too deep, too many or too large', () => {
    const chain = Array.from({ length: 20 }, (_, index) =>
      part('partial', `p${index}`, [`partial:p${index + 1}`]),
    );
    expect(idsOf(['partial:p0'], chain)).toMatchObject({
      message: 'parts may be nested at most 10 levels deep',
    });
    const many = Array.from({ length: 60 }, (_, index) => part('partial', `p${index}`));
    expect(
      idsOf(
        many.map(({ name }) => `partial:${name}`),
        many,
      ),
    ).toMatchObject({
      message: 'a template may use at most 50 layouts and partials',
    });
    const large = [part('partial', 'a', [], MAX_PARTS_CHARACTERS), part('partial', 'b', [], 1)];
    expect(idsOf(['partial:a', 'partial:b'], large)).toMatchObject({
      message: expect.stringContaining('in total'),
    });
  });

  it('are resolved in time linear in the parts, not in the paths to them', () => {
    const wide = Array.from({ length: 9 }, (_, level) =>
      Array.from({ length: 5 }, (_, index) =>
        part(
          'partial',
          `p${level}-${index}`,
          level < 8 ? Array.from({ length: 5 }, (_, next) => `partial:p${level + 1}-${next}`) : [],
        ),
      ),
    ).flat();
    expect(idsOf(['partial:p0-0'], wide)).toHaveLength(41);
  });

  it('affect a version that uses them, directly or not', () => {
    const version = {
      uses: ['layout:main', 'messages'],
      parts: [{ id: 'x', type: 'partial' as const, name: 'footer', version: 1 }],
    };
    expect(isAffected({ type: 'layout', name: 'main' }, version)).toBe(true);
    expect(isAffected({ type: 'partial', name: 'footer' }, version)).toBe(true);
    expect(isAffected({ type: 'translation', name: 'nl' }, version)).toBe(true);
    expect(isAffected({ type: 'layout', name: 'other' }, version)).toBe(false);
  });
});
