import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { EMAIL, useApi } from '../support/database.ts';

const world = useApi();

const TEMPLATE = {
  event_key: 'order.shipped',
  channel_kind: 'email',
  subject: 'Order {{ payload.order_id }}',
  html: '<p>Hello</p><img src="cid:logo" alt="Shop">',
  text: 'Hello',
};
const ENVELOPE = {
  cc: '{{ payload.team | join: "," }}',
  bcc: 'archive@example.com',
  reply_to: '{{ payload.agent }}@example.com',
  headers: { 'X-Order': '{{ payload.order_id }}' },
  attachments: [
    { content: 'payload.pdf', filename: '{{ payload.order_id }}.pdf', content_type: 'application/pdf' },
    { content: 'payload.logo', filename: 'logo.png', content_type: 'image/png', cid: 'logo' },
  ],
};
const PAYLOAD = {
  order_id: 'A-1',
  team: ['one@example.com', 'two@example.com'],
  agent: 'eve',
  pdf: 'JVBERi0xLjc=',
  logo: 'iVBORw==',
};

async function create(body: object) {
  const fixture = await world.environment({ channels: [EMAIL] });
  const environment = formatId('env', fixture.environmentId);
  return world.api().admin('post', `/admin/v1/environments/${environment}/templates`, body);
}

describe('the envelope of an email template', () => {
  it('is stored unchanged, and previewed as it would be sent', async () => {
    const { status, body } = await create({ ...TEMPLATE, ...ENVELOPE });
    expect([status, body]).toMatchObject([201, ENVELOPE]);
    const read = await world.api().admin('get', `/admin/v1/templates/${body.id}`).expect(200);
    expect(read.body).toMatchObject(ENVELOPE);
    const preview = (payload: object) =>
      world.api().admin('post', `/admin/v1/templates/${body.id}/preview`, { payload }).expect(200);
    const { body: whole } = await preview(PAYLOAD);
    expect(whole).toMatchObject({
      deliverable: true,
      rendered: {
        cc: PAYLOAD.team,
        bcc: ['archive@example.com'],
        reply_to: 'eve@example.com',
        headers: { 'X-Order': 'A-1' },
        attachments: [
          { filename: 'A-1.pdf', content_type: 'application/pdf', cid: null, bytes: 8 },
          { filename: 'logo.png', content_type: 'image/png', cid: 'logo', bytes: 4 },
        ],
      },
    });
    const { pdf: _, ...without } = PAYLOAD;
    expect((await preview(without)).body).toMatchObject({
      deliverable: false,
      missing_variables: [{ path: '/attachments/0/content', name: 'payload.pdf', line: null }],
    });
    expect((await preview({ ...PAYLOAD, team: ['Eve <eve@example.com>'], pdf: '?' })).body).toMatchObject({
      deliverable: false,
      rendered: null,
      errors: [{ path: '/cc' }, { path: '/attachments/0/content', message: 'payload.pdf is not base64' }],
    });
  });

  it('without values is null', async () => {
    const nothing = { cc: '', bcc: null, reply_to: ' ', headers: {}, attachments: [] };
    const { body } = await create({ ...TEMPLATE, ...nothing });
    expect(body).toMatchObject({ cc: null, bcc: null, reply_to: null, headers: null, attachments: null });
  });

  it.each<[string, object, object]>([
    [
      'a header of the service',
      { headers: { Bcc: 'a@example.com' } },
      { path: '/headers/Bcc', code: 'invalid_template' },
    ],
    ['a tag that is not closed', { cc: '{% if %}' }, { path: '/cc', code: 'invalid_template', line: 1 }],
    [
      'a program',
      { attachments: [{ ...ENVELOPE.attachments[0], content_type: 'application/x-msdownload' }] },
      { path: '/attachments/0/content_type', code: 'invalid_template' },
    ],
    [
      'a path that is none',
      { attachments: [{ ...ENVELOPE.attachments[0], content: '{{ payload.pdf }}' }] },
      { path: '/attachments/0/content', code: 'invalid_template' },
    ],
    [
      'a field that is not known',
      { attachments: [{ ...ENVELOPE.attachments[0], href: 'file:///etc/passwd' }] },
      { path: '/attachments/0/href', code: 'unknown_field' },
    ],
    [
      'too many headers',
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'a'])) },
      { path: '/headers' },
    ],
  ])('is refused for %s', async (_, wrong, detail) => {
    const { status, body } = await create({ ...TEMPLATE, ...wrong });
    expect(status).toBe(422);
    expect(body.error.details[0]).toMatchObject(detail);
  });
});
