import type { ChannelRule } from '@postrider/domain';
import type { JsonSchema } from '../schema.ts';
import { MAX_PEM_LENGTH, pemIssues } from '../webhook/tls.ts';

/** The config field `ca` of a broker: the authorities, in PEM, whose certificates are accepted. */
export const authoritiesSchema = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: MAX_PEM_LENGTH,
  default: null,
  description,
});

/** `ca` must be certificates in PEM, and is only allowed with TLS. */
export const AUTHORITIES_RULE: ChannelRule<{ ca?: string; tls?: boolean }> = {
  reads: ['/ca', '/tls'],
  issuesOf: ({ ca, tls = true }) =>
    ca && !tls
      ? [{ path: '/ca', code: 'invalid_value', message: 'must be null without TLS' }]
      : pemIssues('/ca', ca),
};
