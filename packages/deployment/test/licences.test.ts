import { describe, expect, it } from '@postrider/testing';
import { findLicenceProblems, findUnlisted } from '../../../docker/bill-of-materials.mjs';

const policy = { allowed: ['MIT', 'Apache-2.0'], exceptions: [] };
const dependency = (licence: string) => ({ name: 'left-pad', version: '1.0.0', licence });

describe('the licences of the shipped packages', () => {
  it.each(['MIT', '(MPL-2.0 OR Apache-2.0)', 'MIT AND Apache-2.0', '(MIT AND Apache-2.0)'])(
    'may be %s',
    (licence) => {
      expect(findLicenceProblems([dependency(licence)], policy)).toEqual([]);
    },
  );

  it.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN FILE', ''])(
    'may not be "%s"',
    (licence) => {
      expect(findLicenceProblems([dependency(licence)], policy)).toHaveLength(1);
    },
  );

  it('may be another one with a documented exception for this licence', () => {
    const exceptions = [{ package: 'left-pad', licence: 'EPL-2.0', reason: 'Used unchanged.' }];

    expect(findLicenceProblems([dependency('EPL-2.0')], { ...policy, exceptions })).toEqual([]);
    expect(findLicenceProblems([dependency('GPL-2.0')], { ...policy, exceptions })).toHaveLength(1);
  });

  it('need a reason for an exception', () => {
    const exceptions = [{ package: 'left-pad', licence: 'EPL-2.0', reason: '' }];

    expect(findLicenceProblems([dependency('EPL-2.0')], { ...policy, exceptions })).toHaveLength(1);
  });
});

describe('the packages in the bundles', () => {
  const component = { name: 'left-pad', version: '1.0.0', purl: 'pkg:npm/left-pad@1.0.0' };
  const bill = { components: [component] };

  it('are in the bill of materials', () => {
    expect(findUnlisted([{ name: 'left-pad', version: '1.0.0' }], bill)).toEqual([]);
  });

  it.each([
    ['package', { name: 'right-pad', version: '1.0.0' }],
    ['version', { name: 'left-pad', version: '2.0.0' }],
  ])('stop an image when the bill does not list their %s', (_, bundled) => {
    expect(findUnlisted([bundled], bill)).toEqual([
      `${bundled.name}@${bundled.version} is in a bundle and not installed for production`,
    ]);
  });
});
