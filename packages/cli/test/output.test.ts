import { describe, expect, it } from '@jest/globals';
import pc from 'picocolors';
import { record, table } from '../src/output/table.ts';
import { plain } from '../src/output/text.ts';

const style = pc.createColors(false);

describe('what is shown to people', () => {
  it('is a table that can be read by line', () => {
    const rows = [
      { id: 'ten_1', name: 'Acme', plan: { code: 'free' }, active: true },
      { id: 'ten_22', name: null, plan: { code: 'team' }, active: false },
    ];

    expect(table(['id', 'name', 'plan.code', 'active'], rows, style).split('\n')).toEqual([
      'ID      NAME  PLAN CODE  ACTIVE',
      'ten_1   Acme  free       yes',
      'ten_22  -     team       no',
    ]);
  });

  it('says so when there is nothing', () => {
    expect(table(['id'], [], style)).toBe('none');
  });

  it('is a line for each field of a resource', () => {
    const resource = { id: 'chn_1', event_keys: ['*', 'order.*'], config: { url: 'https://x', headers: {} } };

    expect(record(resource, style).split('\n')).toEqual([
      'id          chn_1',
      'event_keys  *, order.*',
      'config.url  https://x',
    ]);
  });

  it('cannot move the cursor or recolour the terminal, whatever others have written', () => {
    expect(plain('ok\u001b[2J\u001b]0;owned\u0007\r\nrm -rf')).toBe('ok [2J ]0;owned rm -rf');
    expect(table(['name'], [{ name: 'a\u001b[31mb\nc' }], style).split('\n')).toEqual(['NAME', 'a [31mb c']);
  });
});
