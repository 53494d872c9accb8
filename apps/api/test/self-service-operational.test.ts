import { describe, expect, it } from '@postrider/testing';
import { anEvent } from './support/api.ts';
import { HOOK } from './support/channels.ts';
import { useApi } from './support/database.ts';
import { createOutsider } from './support/outsider.ts';

const world = useApi();
const { api } = world;

describe('a token with every scope', () => {
  it('cannot write what the operator’s channels send, also not through a part', async () => {
    const { call, admin } = await createOutsider(world);
    const alert = {
      event_key: 'channel.paused',
      channel_kind: 'webhook',
      body: { text: 'Paused' },
      activate: true,
    };
    expect((await call('post', 'templates', alert).expect(409)).body.error.message).toMatch(/only operators/);
    const layout = { name: 'alerts', content: '{% block %}{% endblock %}', activate: true };
    await api().admin('post', `${admin}/layouts`, layout).expect(201);
    const mail = {
      ...{ event_key: 'channel.paused', channel_kind: 'email', activate: true },
      ...{ subject: 'Paused', html: '{% layout "alerts" %}{% block %}Paused{% endblock %}' },
    };
    const ofOperator = await api().admin('post', `${admin}/templates`, mail).expect(201);
    await call('post', `templates/${ofOperator.body.id}/deactivate`).expect(409);
    await call('post', 'layouts', { ...layout, content: 'Sign in: {% block %}{% endblock %}' }).expect(409);
  });

  it('does not see operational channels or other tokens among what needs attention or explains a message', async () => {
    const { call, admin, fixture } = await createOutsider(world, {
      settings: { unmatchedEvents: 'store' },
    });
    const made = await api()
      .admin('post', `${admin}/channels`, { ...HOOK, operational: true })
      .expect(201);
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    await api().admin('post', `${admin}/tokens`, { name: 'other', expires_at: soon }).expect(201);
    await api().admin('post', `/admin/v1/channels/${made.body.id}/pause`, {}).expect(200);
    expect((await call('get', 'attention').expect(200)).body).toMatchObject({
      paused_channels: [],
      expiring: [],
    });
    const { body: all } = await api().admin('get', `${admin}/attention`).expect(200);
    expect([all.paused_channels.length, all.expiring.length]).toEqual([1, 1]);
    await call('post', 'channels', HOOK).expect(201);
    const sent = await api().postEvent(fixture.token, anEvent()).expect(201);
    const { body } = await call('get', `messages/${sent.body.message_id}?explain=channels`).expect(200);
    expect(body.channels).toHaveLength(1);
  });
});
