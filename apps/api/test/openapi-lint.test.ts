import { describe, expect, it } from '@postrider/testing';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { createOpenApiDocument } from '../src/openapi/document.ts';
import { RESOURCES } from '../src/resources.ts';

/** What the ruleset finds and may stay, with the reason. */
const EXCEPTIONS = [
  {
    rule: 'info-license',
    at: '#/info',
    reason: 'The project is not licensed to the public: package.json says UNLICENSED.',
  },
  {
    rule: 'operation-4xx-response',
    at: '#/paths/~1api~1v1~1events/options/responses',
    reason: 'A preflight always succeeds; the headers of its response leave out what is not allowed.',
  },
] as const;

/**
 * Every finding of Redocly's ruleset `recommended`, warnings too. Examples may have fields that a schema does not
 * name, because the ruleset looks at a `$ref` without the fields next to it, and takes each error's example for one
 * with unknown fields. The test of the document's examples knows both parts, and refuses unknown fields.
 */
async function findings(document: object) {
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true } },
  });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
  });
  return problems.map(({ ruleId, location, message }) => ({
    rule: ruleId,
    at: location[0]?.pointer ?? '',
    message,
  }));
}

describe('the OpenAPI document, by Redocly’s recommended rules', () => {
  it('has no issue, and needs each exception', async () => {
    const found = (await findings(createOpenApiDocument(RESOURCES))).map(({ rule, at }) => ({ rule, at }));

    expect(found).toEqual(EXCEPTIONS.map(({ rule, at }) => ({ rule, at })));
  });

  it('would be refused with an operation without security, or with a duplicate name', async () => {
    const document = createOpenApiDocument(RESOURCES);
    const all = document.paths as Record<string, Record<string, Record<string, unknown>>>;
    // Two operations are enough: the rules take longer the larger the document is.
    const paths = structuredClone({
      '/api/v1/limits': { get: all['/api/v1/limits']?.get },
      '/api/v1/messages': { get: all['/api/v1/messages']?.get },
    });
    Object.assign(paths['/api/v1/limits'].get ?? {}, {
      operationId: 'listMessages',
      security: [{ nobody: [] }],
    });
    const rules = (await findings({ ...document, paths })).map(({ rule }) => rule);

    expect(rules).toEqual(expect.arrayContaining(['operation-operationId-unique', 'security-defined']));
  });
});
