import { describe, expect, it } from '@jest/globals';
import pc from 'picocolors';
import { record, table } from '../src/output/table.ts';
import { templatePreview } from '../src/output/template.ts';
import { json, plain } from '../src/output/text.ts';

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
    expect(record({ schema: { 'a\u001b[2J\u009b1m': 1 } }, style)).toBe('schema.a [2J 1m  1');
    expect(plain('invoice\u202efdp.exe\u2066\u2028x')).toBe('invoice fdp.exe x');
  });

  it('cannot do so by the names in a template or a payload either', () => {
    const place = { path: '/body/a\u001b[2J', line: null, column: null };
    const preview = {
      template_id: 'tpl_1',
      deliverable: false,
      rendered: null,
      missing_variables: [{ name: 'x', ...place }],
      errors: [{ message: 'x', ...place, line: 1, column: 2 }],
      warnings: [{ code: 'payload_schema_mismatch' as const, path: '/payload/\u009b1m', message: 'x' }],
    };

    expect(templatePreview(preview, style).split('\n')).toEqual([
      'would fail',
      'missing: x (/body/a [2J)',
      'error: x (/body/a [2J line 1, column 2)',
      'warning: /payload/ 1m x',
    ]);
  });

  it('cannot do so in JSON either, which means the same to a program', () => {
    const value = { name: 'a\u001b\u009b\u007f\u202e\u2028é😀' };

    expect(json(value)).toBe('{"name":"a\\u001b\\u009b\\u007f\\u202e\\u2028é😀"}');
    expect(JSON.parse(json(value, 2))).toEqual(value);
  });

  it('is any status as it is, also one that is called as what every object has', () => {
    expect(record({ status: 'constructor' }, style)).toBe('status  constructor');
  });
});
