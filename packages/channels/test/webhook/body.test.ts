import { describe, expect, it } from '@postrider/testing';
import { defaultJsonBody } from '../../src/json-template.ts';

describe('the default webhook body', () => {
  it('has the shape of Standard Webhooks', () => {
    const body = defaultJsonBody({
      event_key: 'order.shipped',
      timestamp: '2026-11-21T00:00:00.000Z',
      message_id: 'msg_1',
      delivery_run_id: 'run_1',
      recipient: { email: 'ada@example.com' },
      payload: { order: 7 },
    });
    expect(body).toEqual({
      type: 'order.shipped',
      timestamp: '2026-11-21T00:00:00.000Z',
      data: {
        message_id: 'msg_1',
        delivery_run_id: 'run_1',
        recipient: { email: 'ada@example.com' },
        payload: { order: 7 },
      },
    });
  });
});
