import { describe, expect, it } from '@postrider/testing';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import { createOpenApiDocument } from '../src/openapi/document.ts';
import { RESOURCES } from '../src/resources.ts';

/** The package exports the ruleset itself; its types say that it is a property `default`. */
const OWASP = owasp as unknown as RulesetDefinition;

/** Rules that are off, with the reason. */
const OFF = {
  'owasp:api2:2023-no-credentials-in-url':
    'It takes tokenId for a token; it is the id by which a token is revoked.',
  'owasp:api4:2023-integer-format':
    'All whole numbers are below 2^53; their limits say more than int32 or int64.',
  'owasp:api4:2023-rate-limit':
    'Limits are told in RateLimit headers where a token has a plan; refusals before that have none.',
  'owasp:api4:2023-rate-limit-responses-429':
    'Management is not limited by rate; the preflight has no token to count.',
  'owasp:api4:2023-string-limit':
    'Patterns and formats bound the length, and the body is bounded before it is read.',
  'owasp:api4:2023-string-restricted': 'Names, templates and the like are any text.',
  'owasp:api8:2023-define-cors-origin':
    'It takes a property named headers, of a webhook’s config, for headers of an answer.',
  'owasp:api8:2023-define-error-responses-401': 'Only the preflight lacks it, and needs no token.',
  'owasp:api8:2023-define-error-responses-500':
    'Only the preflight lacks it: it touches nothing that can fail.',
  'owasp:api8:2023-define-error-validation':
    'Operations without a body and with nothing but an id answer 404 instead.',
  'owasp:api9:2023-inventory-access': 'The one server is the installation itself, wherever it is.',
  'owasp:api9:2023-inventory-environment': 'The same.',
} as const;

/** What stays, because the limit is another one. */
const EXCEPTIONS = [
  {
    rule: 'owasp:api4:2023-array-limit',
    at: 'channel_kinds',
    reason: 'An array of an enum without repetition has a limit.',
  },
] as const;

/** Limits are for what clients send: what an answer holds is the service's own. */
const LIMITS = /-(array|integer)-limit/;
const isSent = (path: readonly (string | number)[]) =>
  path.includes('requestBody') || path.includes('parameters');

async function findings(document: object): Promise<string[]> {
  const spectral = new Spectral();
  const off = Object.fromEntries(Object.keys(OFF).map((rule) => [rule, 'off' as const]));
  spectral.setRuleset({ extends: [[OWASP, 'all']], rules: off });
  const found = await spectral.run(document as Record<string, unknown>);
  const relevant = found
    .filter(({ path, code }) => !LIMITS.test(String(code)) || (isSent(path) && !path.includes('schemas')))
    .filter(
      ({ code, path }) => !EXCEPTIONS.some(({ rule, at }) => rule === code && at === String(path.at(-1))),
    );
  return [...new Set(relevant.map(({ code, path }) => `${code} /${path.join('/')}`))];
}

describe('the OpenAPI document, by OWASP’s rules', () => {
  it('has no issue', async () => {
    expect(await findings(createOpenApiDocument(RESOURCES))).toEqual([]);
  });

  it('would be refused with basic authentication, or with an unlimited integer', async () => {
    const { components, paths, ...rest } = createOpenApiDocument(RESOURCES);
    const securitySchemes = {
      ...(components.securitySchemes as object),
      basic: { type: 'http', scheme: 'basic' },
    };
    const { get } = paths['/api/v1/messages'] as { get: { parameters: object[] } };
    const unbounded = { name: 'n', in: 'query', schema: { type: 'integer' } };
    // One operation is enough: the rules take longer the larger the document is.
    const only = { '/api/v1/messages': { get: { ...get, parameters: [...get.parameters, unbounded] } } };
    const rules = (
      await findings({ ...rest, components: { ...components, securitySchemes }, paths: only })
    ).map((finding) => finding.split(' ')[0]);

    expect(rules).toEqual(
      expect.arrayContaining(['owasp:api2:2023-no-http-basic', 'owasp:api4:2023-integer-limit']),
    );
  });
});
