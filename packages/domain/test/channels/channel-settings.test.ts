import { describe, expect, it } from '@postrider/testing';
import { CHANNEL_SETTINGS_RULES, type ChannelSettings } from '../../src/index.ts';

const channelSettingsIssues = (settings: ChannelSettings) =>
  CHANNEL_SETTINGS_RULES.flatMap(({ issuesOf }) => issuesOf(settings));

describe('the rules of channel settings', () => {
  it('accept event key patterns and a retry policy', () => {
    const settings = {
      name: 'Größe & Co.',
      event_keys: ['*', 'order.*', 'order.shipped'],
      retry: { max_attempts: 2, delays_seconds: [1] },
    };
    expect(channelSettingsIssues(settings)).toEqual([]);
    expect(channelSettingsIssues({ name: 'a' })).toEqual([]);
  });

  it('report every pattern that no event key can match', () => {
    const event_keys = ['order', 'order.*', '*.shipped', 'Order.shipped', '', 'a.b*'];
    expect(channelSettingsIssues({ name: 'a', event_keys })).toMatchObject(
      [0, 2, 3, 4, 5].map((index) => ({ path: `/event_keys/${index}`, code: 'invalid_format' })),
    );
  });

  it('report the issues of a retry policy below its field', () => {
    const retry = { max_attempts: 2, delays_seconds: [1], base_seconds: 1, factor: 2, max_seconds: 5 };
    expect(channelSettingsIssues({ name: 'a', retry })).toMatchObject([{ path: '/retry' }]);
    expect(
      channelSettingsIssues({
        name: 'a',
        retry: { max_attempts: 2, base_seconds: 9, factor: 2, max_seconds: 5 },
      }),
    ).toMatchObject([{ path: '/retry/max_seconds' }]);
  });

  it('refuse a name of more than one line', () => {
    expect(channelSettingsIssues({ name: 'a\nb' })).toMatchObject([{ path: '/name' }]);
    for (const character of ['\u2028', '\u2029', '\u202a', '\u202e', '\u2066', '\u2069']) {
      expect(channelSettingsIssues({ name: `a${character}b` })).toMatchObject([{ path: '/name' }]);
    }
    expect(channelSettingsIssues({ name: 'שלום\u200e \u200fسلام\u061c' })).toEqual([]);
  });
});
