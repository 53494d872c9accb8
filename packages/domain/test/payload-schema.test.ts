import { describe, expect, it } from '@jest/globals';
import {
  checkPayloadSchema,
  compilePayloadSchema,
  MAX_PAYLOAD_SCHEMA_LENGTH,
} from '../src/payload-schema.ts';

describe('a payload schema', () => {
  it('that can be used has no faults and validates payloads', () => {
    const schema = { type: 'object', required: ['order_id'], properties: { order_id: { type: 'string' } } };
    expect(checkPayloadSchema(schema)).toEqual([]);
    const validate = compilePayloadSchema(schema);
    expect([validate({ order_id: 'A-1' }), validate({})]).toEqual([true, false]);
  });

  it.each([
    ['no JSON Schema', { type: 'objekt' }, '/type'],
    ['a reference to another document', { $ref: 'https://example.com/schema.json' }, ''],
    ['a reference to nothing', { $ref: '#/$defs/none' }, ''],
    ['a reference to itself', { $ref: '#' }, ''],
    [
      'references in a circle',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
      '',
    ],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }, ''],
    ['more text than is allowed', { description: 'x'.repeat(MAX_PAYLOAD_SCHEMA_LENGTH) }, ''],
  ])('with %s is refused', (_, schema, path) => {
    const faults = checkPayloadSchema(schema);
    expect(faults.map((fault) => fault.path)).toContain(path);
    expect(faults.every((fault) => fault.message.length > 0)).toBe(true);
  });

  it('may be recursive where the data is', () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    expect(checkPayloadSchema(tree)).toEqual([]);
  });

  it('with $async still answers at once', () => {
    expect(compilePayloadSchema({ $async: true, type: 'object' })({})).toBe(true);
  });
});
