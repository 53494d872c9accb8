import { channelKinds } from '@postrider/channels';
import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { channelActions, HOOK, MAIL } from '../support/channels.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const { anEnvironment, get, make, patch, post } = channelActions(world);

/** The example of a kind with these settings in its config. */
function exampleOf(kind: string, config: object) {
  const { value } = channelKinds.get(kind).example;
  return { kind, ...value, config: { ...(value.config as object), ...config } };
}
const refusal = (path: string, address: string) => ({
  code: 'invalid_value',
  path,
  message: `The address ${address} is not public, and EGRESS_ALLOW_CIDRS does not allow it.`,
});
const oauth2 = { token_url: 'https://10.0.0.7/token', client_id: 'shop', client_secret: 'secret' };
const smtp = { ...MAIL.config.smtp, host: 'fd00::5', username: 'shop@example.com', oauth2 };

// The API of the tests has the loopback addresses in EGRESS_ALLOW_CIDRS.
describe('a channel to an address that workers refuse', () => {
  it.each<[string, object, [path: string, address: string][]]>([
    ['of a webhook', { ...HOOK, config: { url: 'http://10.0.0.5/in' } }, [['/url', '10.0.0.5']]],
    [
      'in another spelling',
      { ...HOOK, config: { url: 'http://[::ffff:a00:5]/' } },
      [['/url', '::ffff:a00:5']],
    ],
    [
      'in a form that only resolvers read',
      { ...MAIL, config: { ...MAIL.config, smtp: { ...MAIL.config.smtp, host: '0x0a000005' } } },
      [['/smtp/host', '10.0.0.5']],
    ],
    ['of metadata', { ...HOOK, config: { url: 'http://169.254.169.254/' } }, [['/url', '169.254.169.254']]],
    [
      'of a token endpoint',
      exampleOf('webhook', { auth: { type: 'oauth2', ...oauth2 } }),
      [['/auth/token_url', '10.0.0.7']],
    ],
    [
      'of a mail server and its token endpoint',
      { ...MAIL, config: { ...MAIL.config, smtp } },
      [
        ['/smtp/host', 'fd00::5'],
        ['/smtp/oauth2/token_url', '10.0.0.7'],
      ],
    ],
    [
      'of the second sender',
      {
        ...MAIL,
        config: {
          from: MAIL.config.from,
          senders: [
            { provider: 'smtp', smtp: MAIL.config.smtp },
            { provider: 'postmark', postmark: { server_token: 'token', endpoint: 'https://192.168.1.2' } },
          ],
        },
      },
      [['/senders/1/postmark/endpoint', '192.168.1.2']],
    ],
    ['of a RabbitMQ', exampleOf('amqp', { host: '10.0.0.5' }), [['/host', '10.0.0.5']]],
    [
      'of a Kafka broker',
      exampleOf('kafka', { brokers: ['kafka.example.com:9093', '[fd00::5]:9093'] }),
      [['/brokers/1', 'fd00::5']],
    ],
    [
      'of a queue',
      exampleOf('sqs', { queue_url: 'https://10.0.0.5/123456789012/orders', region: 'eu-central-1' }),
      [['/queue_url', '10.0.0.5']],
    ],
  ])('is not created: the address %s', async (_whose, body, refused) => {
    const { id } = await anEnvironment();
    const { error } = (await post(id, body).expect(422)).body;
    expect(error.details).toEqual(refused.map(([path, address]) => refusal(`/config${path}`, address)));
  });

  it.each<[string, object]>([
    ['is public', { ...HOOK, config: { url: 'https://93.184.215.14/in' } }],
    ['is in EGRESS_ALLOW_CIDRS', { ...HOOK, config: { url: 'http://[::1]:8080/in' } }],
    ['is a name, which is resolved at each attempt', { ...HOOK, config: { url: 'http://localhost/in' } }],
    ...channelKinds.definitions.map(({ kind }): [string, object] => [
      `is that of the example of ${kind}`,
      exampleOf(kind, {}),
    ]),
  ])('is created if the address %s', async (_why, body) => {
    const { id } = await anEnvironment();
    await post(id, body).expect(201);
  });

  it('keeps the allowed address that it has when a change is refused', async () => {
    const { id } = await make();
    const { body } = await patch(id, { config: { url: 'http://10.0.0.5/in' } }).expect(422);
    expect(body.error.details).toEqual([refusal('/config/url', '10.0.0.5')]);
    expect((await get(id).expect(200)).body.config.url).toBe(HOOK.config.url);
  });

  it('can be renamed and disabled, and moved to an allowed address, if it exists already', async () => {
    const config = { url: 'http://10.0.0.5/in' };
    const { channels } = await world.environment({ channels: [{ kind: 'webhook', name: 'old', config }] });
    const id = formatId('chn', channels[0]?.id ?? '');
    await patch(id, { name: 'older', enabled: false, config: { headers: { 'X-Shop': 'us' } } }).expect(200);
    await patch(id, { config: { url: 'http://10.0.0.6/in' } }).expect(422);
    await patch(id, { config: { url: HOOK.config.url } }).expect(200);
    await patch(id, { config }).expect(422);
  });
});
