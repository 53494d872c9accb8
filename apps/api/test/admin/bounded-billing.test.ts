import { formatId } from '@postrider/domain';
import { describe, it } from '@postrider/testing';
import supertest from 'supertest';
import { useApi } from '../support/database.ts';

const { api, environment } = useApi();

describe('a caller who is bound to a tenant', () => {
  it.each([
    ['the plan', { plan: 'other-plan' }],
    ['the billing status', { billing_status: 'suspended' }],
    ['the grace period', { billing_status: 'past_due', grace_ends_at: '2099-01-01T00:00:00Z' }],
  ])('cannot change %s, but the name', async (_what, change) => {
    const { tenantId } = await environment();
    const tenant = formatId('ten', tenantId);
    const rights = { name: 'bound', scopes: ['tenants:admin'], tenants: [tenant] };
    const { body } = await api().admin('post', '/admin/v1/operator-tokens', rights).expect(201);
    const patch = (fields: object) =>
      supertest(api().url)
        .patch(`/admin/v1/tenants/${tenant}`)
        .set('Authorization', `Bearer ${body.token}`)
        .send(fields);
    await patch(change).expect(403);
    await patch({ name: 'Renamed' }).expect(200);
  });
});
