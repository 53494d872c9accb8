import {
  type ChannelIssue,
  type ChannelRule,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@postrider/domain';
import { nullable, PATTERNS, record, text, wholeNumber } from '../schema.ts';
import type { Setting, Settings } from '../settings.ts';
import type { EmailProvider } from './provider.ts';

/** When the next account is tried: `safe` only after a certain failure, `eager` also after an unknown outcome. */
const FAILOVER_POLICIES = ['safe', 'eager'] as const;
export type FailoverPolicy = (typeof FAILOVER_POLICIES)[number];

/** The accounts of a channel share the time limit of an attempt. */
const MAX_ACCOUNTS = 5;
const MAX_WEIGHT = 100;
const MAX_FROM_DOMAINS = 20;
const DEFAULT_WEIGHT = 1;

/** A mail account of a channel, from the config of a request or from the stored config; a sender in the API. */
export interface MailAccount {
  /** Unique in the channel. */
  readonly name: string;
  readonly provider: EmailProvider;
  readonly settings: JsonObject;
  /** Its share of the mail. With 0 it is tried only after others have failed. */
  readonly weight: number;
  /** The domains of `From` that it may send for, in lower case; null for all. */
  readonly fromDomains: readonly string[] | null;
  /** JSON Pointer to its settings in the config. */
  readonly path: string;
}

/** The fields of a config that configure the accounts. */
type AccountsConfig = Readonly<Record<string, unknown>>;

/** The name of an account that was given none: that of its provider, with the first free number from 2 if it is taken. */
function freeName(provider: string, taken: ReadonlySet<string>): string {
  let name = provider;
  for (let number = 2; taken.has(name); number += 1) name = `${provider}-${number}`;
  return name;
}

/** @param taken the names of other accounts, to which the name of this one is added */
function listedAccount(
  providers: readonly EmailProvider[],
  entry: JsonValue,
  index: number,
  taken: Set<string>,
): MailAccount | null {
  if (!isJsonObject(entry)) return null;
  const provider = providers.find(({ name }) => name === entry.provider);
  const settings = provider && entry[provider.name];
  if (!provider || settings === undefined || !isJsonObject(settings)) return null;
  const { weight, from_domains: domains } = entry;
  const name = typeof entry.name === 'string' ? entry.name : freeName(provider.name, taken);
  taken.add(name);
  return {
    name,
    provider,
    settings,
    weight: typeof weight === 'number' ? weight : DEFAULT_WEIGHT,
    fromDomains: Array.isArray(domains) ? domains.map((domain) => String(domain).toLowerCase()) : null,
    path: `/senders/${index}/${provider.name}`,
  };
}

/**
 * The accounts of a channel, in the order of the config; empty if it has none of these providers. Accounts without a name
 * get one. The short form (one provider's field) is one account with the provider's name.
 */
export function accountsOf(
  providers: readonly EmailProvider[],
  config: AccountsConfig,
): readonly MailAccount[] {
  const { senders } = config;
  if (Array.isArray(senders)) {
    const taken = new Set(
      (senders as JsonValue[]).flatMap((entry) =>
        isJsonObject(entry) && typeof entry.name === 'string' ? [entry.name] : [],
      ),
    );
    return (senders as JsonValue[])
      .map((entry, index) => listedAccount(providers, entry, index, taken))
      .filter((account) => account !== null);
  }
  const provider = providers.find(({ name }) => isJsonObject(config[name] as JsonValue));
  if (!provider) return [];
  const { name } = provider;
  const settings = config[name] as JsonObject;
  return [{ name, provider, settings, weight: DEFAULT_WEIGHT, fromDomains: null, path: `/${name}` }];
}

/** The domain of an address, in lower case. */
export const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Whether an account may send for this domain of `From`. */
export const maySendFor = ({ fromDomains }: MailAccount, domain: string): boolean =>
  fromDomains === null || fromDomains.includes(domain);

const isListed = ({ senders }: AccountsConfig) => senders !== undefined && senders !== null;

/** The settings of a channel that configure its accounts: those of one provider, or the list. */
export function accountSettings(providers: readonly EmailProvider[]): Settings {
  const schemas = Object.fromEntries(
    providers.map(({ name, config }) => [name, { ...config.schema, title: `New ${name} sender` }]),
  );
  const shown = Object.fromEntries(
    providers.map(({ name, config }) => [name, { ...config.presentedSchema, title: `${name} sender` }]),
  );
  const listOf = (config: AccountsConfig) => (isListed(config) ? accountsOf(providers, config) : undefined);
  const ofProvider = ({ name, config, command }: EmailProvider): Setting => ({
    schema: schemas[name] ?? {},
    shown: shown[name] ?? {},
    mayBeAbsent: true,
    command,
    storedOf: (settings = null, { senders = null }) =>
      isJsonObject(settings) && senders === null ? config.toStored(settings) : undefined,
    shownOf({ [name]: settings = null }) {
      return isJsonObject(settings) ? config.present(settings) : undefined;
    },
  });
  const common = record('A sender.', {
    name: text('Unique in the channel.'),
    provider: text('The provider. Its settings are in the field of this name.'),
    weight: wholeNumber('Its share of the mail.'),
    from_domains: nullable({ type: 'array', items: text('A domain of `From`.') }),
  });
  return {
    ...Object.fromEntries(providers.map((provider) => [provider.name, ofProvider(provider)])),
    senders: {
      schema: {
        type: ['array', 'null'],
        minItems: 1,
        maxItems: MAX_ACCOUNTS,
        default: null,
        description:
          'Several senders, instead of the settings of one provider. A mail goes through one of them, ' +
          'chosen by weight; the others are tried if that one fails. A PATCH replaces the whole list; ' +
          'credentials that are left out stay with the sender of the same name.',
        items: {
          type: 'object',
          required: ['provider'],
          additionalProperties: false,
          properties: {
            name: {
              type: ['string', 'null'],
              pattern: PATTERNS.accountName.pattern,
              description:
                'Unique in the channel; by default the name of the provider, then `smtp-2` and so on.',
            },
            provider: {
              type: 'string',
              enum: providers.map(({ name }) => name),
              description: 'The provider. Its settings are in the field of this name.',
            },
            ...schemas,
            weight: {
              type: ['integer', 'null'],
              minimum: 0,
              maximum: MAX_WEIGHT,
              default: DEFAULT_WEIGHT,
              description: 'Its share of the mail; with 0 it is tried only after others have failed.',
            },
            from_domains: {
              type: ['array', 'null'],
              minItems: 1,
              maxItems: MAX_FROM_DOMAINS,
              uniqueItems: true,
              items: { type: 'string', pattern: PATTERNS.domain.pattern },
              default: null,
              description: 'The domains of `From` that it sends for; all by default.',
            },
          },
        },
      },
      shown: {
        type: 'array',
        description: 'The senders, instead of the settings of one provider.',
        items: { ...common, properties: { ...common.properties, ...shown } },
      },
      mayBeAbsent: true,
      storedOf: (_, config) =>
        listOf(config)?.map(({ name, provider, settings, weight, fromDomains }) => ({
          name,
          provider: provider.name,
          [provider.name]: provider.config.toStored(settings),
          ...(weight === DEFAULT_WEIGHT ? {} : { weight }),
          ...(fromDomains ? { from_domains: [...fromDomains] } : {}),
        })),
      shownOf: (config) =>
        listOf(config)?.map(({ name, provider, settings, weight, fromDomains }) => ({
          name,
          provider: provider.name,
          [provider.name]: provider.config.present(settings),
          weight,
          from_domains: fromDomains && [...fromDomains],
        })),
    },
    failover: {
      schema: {
        type: ['string', 'null'],
        enum: [...FAILOVER_POLICIES, null],
        default: 'safe',
        description:
          '`safe` tries the next sender only if the mail was certainly not accepted. `eager` also does so when the ' +
          'outcome is unknown, so a mail may be sent twice.',
      },
      shown: { type: 'string', enum: [...FAILOVER_POLICIES], description: 'Only with `senders`.' },
      mayBeAbsent: true,
      storedOf: (failover, config) => (isListed(config) && failover === 'eager' ? failover : undefined),
      shownOf: (config) => (isListed(config) ? failoverOf(config) : undefined),
    },
  };
}

const under = (path: string, issues: readonly ChannelIssue[]): ChannelIssue[] =>
  issues.map((issue) => ({ ...issue, path: `${path}${issue.path}` }));

function countIssues(providers: readonly EmailProvider[], config: AccountsConfig): ChannelIssue[] {
  const names = [...providers.map(({ name }) => name), 'senders'];
  const given = names.filter((name) => config[name] !== undefined && config[name] !== null);
  if (given.length === 1) return [];
  const message = `must have exactly one of ${names.join(', ')}`;
  const [first = 'smtp'] = given.length === 0 ? names : [''];
  return [{ path: first && `/${first}`, code: given.length === 0 ? 'required' : 'invalid_value', message }];
}

/** Checks that each listed account has settings only in the field of its provider. */
function settingsIssues(providers: readonly EmailProvider[], { senders }: AccountsConfig): ChannelIssue[] {
  if (!Array.isArray(senders)) return [];
  return (senders as JsonObject[]).flatMap((entry, index) =>
    providers.flatMap(({ name }): ChannelIssue[] => {
      const isGiven = entry[name] !== undefined;
      const isChosen = entry.provider === name;
      if (isGiven === isChosen) return [];
      const path = `/senders/${index}/${name}`;
      return isChosen
        ? [{ path, code: 'required', message: 'is required: the settings of the provider' }]
        : [{ path, code: 'invalid_value', message: `must be left out: the provider is ${entry.provider}` }];
    }),
  );
}

function nameIssues(accounts: readonly MailAccount[]): ChannelIssue[] {
  const names = accounts.map(({ name }) => name);
  return accounts
    .filter(({ name }, index) => names.indexOf(name) !== index)
    .map(({ path, name, provider }) => ({
      path: `${path.slice(0, -provider.name.length)}name`,
      code: 'invalid_value',
      message: `must be unique: another sender is named ${name}`,
    }));
}

function fromIssues(accounts: readonly MailAccount[], from: string): ChannelIssue[] {
  const domain = domainOf(from);
  if (accounts.length === 0 || accounts.some((account) => maySendFor(account, domain))) return [];
  const message = `must have a sender for ${domain}, the domain of /from/email: none of them has it in from_domains`;
  return [{ path: '/senders', code: 'invalid_value', message }];
}

const issuesOfProvider = ({ provider, settings, path }: MailAccount) =>
  provider.config.rules.flatMap(({ issuesOf }) => under(path, issuesOf(settings)));

/** Rules on the account fields of a config that fulfils the schema. Paths start at the config. */
export function accountRules<Config extends AccountsConfig & { readonly from: { readonly email: string } }>(
  providers: readonly EmailProvider[],
): readonly ChannelRule<Config>[] {
  const shortForms = providers.flatMap(({ name, config: { rules } }) =>
    rules.map(({ reads, issuesOf }) => ({
      reads: reads.map((path) => `/${name}${path}`),
      issuesOf: (config: Config) => {
        const settings = config[name];
        return isJsonObject(settings as JsonValue) ? under(`/${name}`, issuesOf(settings as JsonObject)) : [];
      },
    })),
  );
  const listed = (config: Config) => (config.senders ? accountsOf(providers, config) : []);
  return [
    ...shortForms,
    { reads: [''], issuesOf: (config) => countIssues(providers, config) },
    { reads: ['/senders'], issuesOf: (config) => settingsIssues(providers, config) },
    { reads: ['/senders'], issuesOf: (config) => nameIssues(listed(config)) },
    { reads: ['/senders'], issuesOf: (config) => listed(config).flatMap(issuesOfProvider) },
    {
      reads: ['/senders', '/from/email'],
      issuesOf: (config) => fromIssues(listed(config), config.from.email),
    },
  ];
}

export const failoverOf = ({ failover }: AccountsConfig): FailoverPolicy =>
  failover === 'eager' ? 'eager' : 'safe';
