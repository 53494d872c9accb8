import type { JsonObject } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { applyPatch, patchSchema } from '../../src/admin/schemas.ts';
import { compileBody } from '../../src/validation/body.ts';

const SCHEMA = {
  type: 'object',
  required: ['name', 'config'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    name: { type: 'string', minLength: 1 },
    status: { type: 'string', enum: ['on', 'off'], default: 'on' },
    config: {
      type: 'object',
      required: ['url'],
      additionalProperties: false,
      properties: {
        url: { type: 'string' },
        timeout: { type: 'integer', minimum: 1 },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
} as const;

const CURRENT = {
  id: 'a',
  name: 'A',
  status: 'on',
  config: { url: 'u', timeout: 5, headers: { x: '1', y: '2' } },
};

const accepts = compileBody<JsonObject>(patchSchema(SCHEMA, ['id']));
const whole = compileBody<JsonObject>(SCHEMA);

describe('the schema of a patch', () => {
  it.each([
    [{}],
    [{ name: 'B' }],
    [{ status: null }],
    [{ config: {} }],
    [{ config: { timeout: null, headers: { x: null, z: '3' } } }],
    [{ config: { headers: null } }],
  ])('accepts a part at every level, and null for optional fields: %j', (patch) => {
    expect(accepts(patch).issues).toEqual([]);
    expect(applyPatch(CURRENT, patch, whole)).toMatchObject({ id: 'a' });
  });

  it.each([
    [{ id: 'b' }, '/id', 'unknown_field'],
    [{ name: null }, '/name', 'invalid_type'],
    [{ name: '' }, '/name', 'too_short'],
    [{ status: 'x' }, '/status', 'invalid_value'],
    [{ config: null }, '/config', 'invalid_type'],
    [{ config: { url: null } }, '/config/url', 'invalid_type'],
    [{ config: { timeout: 0 } }, '/config/timeout', 'too_small'],
    [{ config: { headers: { x: 1 } } }, '/config/headers/x', 'invalid_type'],
    [{ config: { host: 'h' } }, '/config/host', 'unknown_field'],
  ])('refuses everything else with one issue: %j', (patch, path, code) => {
    expect(accepts(patch as JsonObject).issues).toMatchObject([{ path, code }]);
  });
});

describe('a patch of an existing resource', () => {
  it('keeps fields that are left out, removes null ones, and merges objects', () => {
    const patch = { name: 'B', status: null, config: { headers: { x: null, z: '3' } } };
    expect(applyPatch(CURRENT, patch, whole)).toEqual({
      ...{ id: 'a', name: 'B' },
      config: { url: 'u', timeout: 5, headers: { y: '2', z: '3' } },
    });
  });

  it('is validated by its result', () => {
    const both = compileBody<JsonObject>({ type: 'object', dependentRequired: { a: ['b'], b: ['a'] } });
    expect(() => applyPatch({ a: 1, b: 1 }, { b: null }, both)).toThrow('validation_failed');
    expect(applyPatch({ a: 1, b: 1 }, { a: null, b: null }, both)).toEqual({});
  });
});
