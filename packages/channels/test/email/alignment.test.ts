import type { JsonObject } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { unalignedDomains } from '../../src/email/index.ts';
import { EMAIL_PROVIDERS } from '../../src/email/providers/index.ts';

const from = { email: 'shop@news.Example.com' };
const unaligned = (config: Parameters<typeof unalignedDomains>[1] & JsonObject) =>
  unalignedDomains(EMAIL_PROVIDERS, config);
const signedBy = (domain: string) => ({
  host: 'smtp.example.com',
  port: 25,
  dkim: { domain, selector: 's' },
});

describe('the domains of DKIM signatures', () => {
  it.each(['news.example.com', 'NEWS.example.com', 'example.com', 'a.news.example.com'])(
    'align with From when they are of its organization: %s',
    (domain) => expect(unaligned({ from, smtp: signedBy(domain) })).toEqual([]),
  );

  it.each(['example.org', 'otherexample.com', 'shop.example.com.example.org'])(
    'do not align: %s',
    (domain) => {
      expect(unaligned({ from, smtp: signedBy(domain) })).toEqual([domain]);
    },
  );

  it('are those of every sender, and none where nothing is signed', () => {
    const senders: JsonObject[] = [
      { provider: 'smtp', smtp: signedBy('example.com') },
      { provider: 'smtp', smtp: signedBy('example.org'), weight: 1 },
    ];
    expect(unaligned({ from, senders })).toEqual(['example.org']);
    expect(unaligned({ from, smtp: { host: 'smtp.example.com', port: 25 } })).toEqual([]);
    expect(unaligned({ from, smtp: { ...signedBy('x'), dkim: null } })).toEqual([]);
  });
});
