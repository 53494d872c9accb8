import { createSqsSender } from '../../src/sqs/sender.ts';
import { sqsError, startSqs } from '../sqs/stand-in.ts';
import { AWS } from '../support/aws.ts';
import { webhookDelivery } from '../support/delivery.ts';
import { describeSender } from './suite.ts';

describeSender({
  name: 'messages to Amazon SQS',
  codes: /^sqs_/,
  credential: AWS.secretAccessKey,
  async startPeer() {
    const service = await startSqs();
    return {
      port: Number(new URL(service.url).port),
      received: () => service.taken.map(({ MessageBody }) => String(MessageBody)),
      refuse(how) {
        service.instead =
          how === 'for now' ? sqsError(503, 'ServiceUnavailable') : sqsError(400, 'InvalidMessageContents');
      },
      close: service.close,
    };
  },
  createSender: createSqsSender,
  delivery(port, body, { credential, ...details }) {
    const made = webhookDelivery(
      { url: '' },
      { content: { body }, credentials: { secret_access_key: credential }, ...details },
    );
    const queue_url = `http://127.0.0.1:${port}/123456789012/orders`;
    const config = { queue_url, region: AWS.region, access_key_id: AWS.accessKeyId };
    return { ...made, channel: { ...made.channel, config } };
  },
});
