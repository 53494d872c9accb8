import { describe, expect, it } from '@postrider/testing';
import { fillPaths, pathIssues } from '../../src/broker/settings.ts';

const delivery = {
  ids: { run: 'run_1', message: 'msg_1', environment: 'env_1' },
  message: {
    eventKey: 'order.shipped',
    recipient: { id: 'C-7' },
    orderingKey: 'A-1042',
    payload: { country: 'de', order: { lines: 3 }, note: '{{ event_key }}', items: [] },
    createdAt: new Date(0),
    test: false,
  },
};

describe('a text with placeholders of the event', () => {
  it.each([
    ['shop.{{ event_key }}', 'shop.order.shipped'],
    ['{{payload.country}}/{{ payload.order.lines }}', 'de/3'],
    ['{{ recipient.id }}-{{ message_id }}-{{ delivery_run_id }}', 'C-7-msg_1-run_1'],
    ['{{ ordering_key }}', 'A-1042'],
    ['<{{ payload.missing }}{{ payload.items }}{{ payload.country.length }}{{ payload.toString }}>', '<>'],
    ['{{ payload.note }}', '{{ event_key }}'],
  ])('%s is filled in', (text, filled) => {
    expect(pathIssues('/at', text)).toEqual([]);
    expect(fillPaths(text, delivery)).toBe(filled);
  });

  it.each([
    'a {{ event_key | upcase }}',
    '{% if true %}',
    '{{ secret }}',
    '{{ payload }}',
    '{{ event_key.length }}',
    '{ }',
  ])('%s is refused with what to do', (text) => {
    expect(pathIssues('/at', text)).toMatchObject([{ path: '/at', code: 'invalid_format' }]);
  });
});
