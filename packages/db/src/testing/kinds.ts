import {
  type ChannelKind,
  type ConfiguredKind,
  type ConfiguredKinds,
  createWebhookSecret,
  KIND_FACTS,
  type KindFacts,
  SERVICE_KINDS,
} from '@postrider/domain';

const PLAIN: ConfiguredKind = {
  label: 'channels of this kind',
  config: { present: (config) => config, presentForAudit: (config) => config },
  secret: null,
  credentials: {},
};

const byKind: ReadonlyMap<ChannelKind, ConfiguredKind> = new Map<ChannelKind, ConfiguredKind>([
  ...SERVICE_KINDS.map(({ kind }) => [kind, PLAIN] as const),
  ['email', { ...PLAIN, credentials: { inSecretColumn: 'senders/smtp/password' } }],
  [
    'webhook',
    { ...PLAIN, ...KIND_FACTS.webhook, secret: { type: 'generated', create: () => createWebhookSecret() } },
  ],
]);

/** The service's kinds for tests of the database: configs are presented unchanged. Their definitions are in a package above. */
export const testKinds: ConfiguredKinds & { readonly definitions: readonly KindFacts[] } = {
  definitions: SERVICE_KINDS,
  find: (kind) => byKind.get(kind) ?? null,
  get(kind) {
    const known = byKind.get(kind);
    if (!known) throw new Error(`there is no channel kind ${kind}`);
    return known;
  },
};
