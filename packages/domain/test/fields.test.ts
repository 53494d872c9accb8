import { describe, expect, it } from '@postrider/testing';
import { fields, formatId } from '../src/index.ts';

const ID = '0190a6ad-0000-7000-8000-000000000001';

describe('the fields of a resource', () => {
  it('give the presentation of its records: names, ids, lists of ids and times', () => {
    const present = fields.presenterOf(
      {
        id: fields.id('ten', 'Its id.'),
        plan: fields.text('Its plan.'),
        issued_by: fields.nullable(fields.id('ses', 'A session.')),
        tenants: fields.nullable(fields.list(fields.id('ten', 'A tenant.'))),
        last_used_at: fields.optionalTime('When it was used.'),
      },
      'ten',
    );
    const lastUsedAt = new Date('2026-11-30T04:00:00Z');
    expect(present({ id: ID, planCode: 'pro', issuerId: ID, tenants: [ID], lastUsedAt })).toEqual({
      id: formatId('ten', ID),
      plan: 'pro',
      issued_by: formatId('ses', ID),
      tenants: [formatId('ten', ID)],
      last_used_at: '2026-11-30T04:00:00.000Z',
    });
    const nothing = { id: ID, planCode: 'pro', issuerId: null, tenants: null, lastUsedAt: null };
    expect(present(nothing)).toMatchObject({ issued_by: null, tenants: null, last_used_at: null });
  });
});
