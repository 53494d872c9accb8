import { describe, expect, it } from '@postrider/testing';
import { findLicenceProblems } from '../../../docker/bill-of-materials.mjs';

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
