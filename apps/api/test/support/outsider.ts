import type { FixtureInput } from '@postrider/db/testing';
import { formatId, TOKEN_SCOPES } from '@postrider/domain';
import supertest from 'supertest';
import { isDocumented } from '../openapi-conformance.ts';
import type { useApi } from './database.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A new environment, and requests of a token of it that may do everything a token can. */
export async function createOutsider(
  { api, db, environment }: ReturnType<typeof useApi>,
  input: FixtureInput = {},
) {
  const fixture = await environment({ scopes: Object.keys(TOKEN_SCOPES), channels: [], ...input });
  const environmentId = formatId('env', fixture.environmentId);
  return {
    fixture,
    token: fixture.token,
    tokenId: formatId('tok', fixture.tokenId),
    admin: `/admin/v1/environments/${environmentId}`,
    audit: () =>
      db().auditEntry.findMany({ where: { environmentId: fixture.environmentId }, orderBy: { id: 'desc' } }),
    call: (method: Method, path: string, body?: unknown) => {
      const test = supertest(api().url)
        [method](`/api/v1/${path}`)
        .set('Authorization', `Bearer ${fixture.token}`);
      if (body !== undefined) test.type('application/json').send(JSON.stringify(body));
      return test.expect(isDocumented);
    },
  };
}
