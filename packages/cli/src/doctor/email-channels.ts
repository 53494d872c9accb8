import type { ConfiguredChannel } from '@postrider/client';
import { type Check, result } from './check.ts';
import type { MailDomain } from './mail-domain.ts';

export type EmailChannel = Extract<ConfiguredChannel, { kind: 'email' }>;
type Config = EmailChannel['config'];
type SmtpSettings = NonNullable<Config['smtp']>;

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** The SMTP servers of a channel; empty if it sends by services. */
const smtpOf = ({ smtp, senders = [] }: Config): SmtpSettings[] =>
  [smtp, ...senders.map((sender) => sender.smtp)].filter((settings) => settings !== undefined);

const LOCAL = /^(localhost|127\.|::1$|\[::1\])/;

function describe({ host, port, secure, username }: SmtpSettings): string {
  const tls = secure ? 'TLS' : username ? 'STARTTLS, required' : 'STARTTLS if offered';
  return `${host}:${port}, ${tls}, ${username ? `login as ${username}` : 'no login'}`;
}

/** Checks the settings of an email channel, and says how its deliveries went. */
export function checkEmailChannel({ id, name, enabled, config, state }: EmailChannel): Check[] {
  const check = `Channel ${name} (${id})`;
  const servers = smtpOf(config);
  const settings = servers.map((server) => {
    const { host, port, secure, username } = server;
    if (port === 465 && !secure)
      return result(check, 'failed', `${host}:465 expects TLS from the start: set secure.`);
    if (port !== 465 && secure)
      return result(check, 'warning', `${describe(server)}: TLS from the start is usual only on port 465.`);
    if (!username && !secure && !LOCAL.test(host))
      return result(check, 'warning', `${describe(server)}: without a login mail may travel unencrypted.`);
    return result(check, 'ok', describe(server));
  });
  const { last_reply: last } = state;
  const failure = last?.outcome === 'succeeded' ? null : last;
  const isWell = enabled && (state.code === 'working' || state.code === 'no_traffic');
  const how = failure
    ? `; last attempt: ${failure.error_code ?? failure.outcome} ${failure.error_message ?? ''}`
    : '';
  const advice =
    state.code === 'no_traffic' ? `: postrider channels test ${id} --to <you> --wait sends a test` : '';
  return [
    ...settings,
    result(check, isWell ? 'ok' : 'warning', `${enabled ? state.code : 'disabled'}${advice}${how}`),
  ];
}

/** The domains that a channel sends for, as DNS must know them. */
export function mailDomainsOf({ config }: EmailChannel): MailDomain[] {
  const from = domainOf(config.from.email);
  const servers = smtpOf(config);
  if (servers.length === 0) return [{ from, returnPath: from, dkim: null }];
  return servers.map(({ return_path: path, dkim }) => ({
    from,
    returnPath: path ? domainOf(path) : from,
    dkim: dkim && {
      domain: dkim.domain.toLowerCase(),
      selectors: [dkim.selector, ...(dkim.ed25519 ? [dkim.ed25519.selector] : [])],
    },
  }));
}
