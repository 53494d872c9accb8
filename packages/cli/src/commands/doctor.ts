import { Resolver } from 'node:dns/promises';
import { type ConfiguredChannel, PostriderApiError } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { type Check, result } from '../doctor/check.ts';
import { checkEmailChannel, type EmailChannel, mailDomainsOf } from '../doctor/email-channels.ts';
import { checkMailDomain } from '../doctor/mail-domain.ts';
import { checkKeys, checkService, checkToken } from '../doctor/service.ts';
import { Unsuccessful } from '../exit-codes.ts';
import { withoutWidth } from '../output/style.ts';
import { table } from '../output/table.ts';
import type { Session } from '../session.ts';

/** A look-up that takes longer counts as unanswered. */
const DNS = { timeout: 2_000, tries: 2 };
const MAX_CHANNELS = 100;

interface DoctorOptions {
  readonly environment?: string;
  readonly dnsServer?: string;
}

const isEmail = (channel: ConfiguredChannel): channel is EmailChannel => channel.kind === 'email';

/** The email channels of the environment; null if the token may not see them. */
async function emailChannels(session: Session): Promise<EmailChannel[] | null> {
  const { channels } = session.environment();
  const found: EmailChannel[] = [];
  try {
    for await (const channel of channels.all({}, session.call)) {
      if (isEmail(channel)) found.push(channel);
      if (found.length === MAX_CHANNELS) break;
    }
  } catch (error) {
    if (error instanceof PostriderApiError && error.status === 403) return null;
    throw error;
  }
  return found;
}

async function checkEmail(session: Session, { dnsServer }: DoctorOptions): Promise<Check[]> {
  const channels = await emailChannels(session);
  if (channels === null) return [result('Email', 'skipped', 'The token lacks the scope channels:read.')];
  if (channels.length === 0) return [result('Email', 'skipped', 'The environment has no email channel.')];
  const resolver = new Resolver(DNS);
  if (dnsServer !== undefined) resolver.setServers([dnsServer]);
  const domains = new Map(channels.flatMap(mailDomainsOf).map((domain) => [JSON.stringify(domain), domain]));
  const ofDomains: Check[][] = [];
  for (const domain of domains.values())
    ofDomains.push(await checkMailDomain((name) => resolver.resolveTxt(name), domain));
  // Several senders share a domain.
  const all = new Map(ofDomains.flat().map((check) => [`${check.check} ${check.detail}`, check]));
  return [...channels.flatMap(checkEmailChannel), ...all.values()];
}

async function doctor(session: Session, version: string, options: DoctorOptions): Promise<void> {
  const { checks, isReachable } = await checkService(session, version);
  if (isReachable) {
    const { environment } = options;
    const management = await checkToken(session, 'Token for management', () =>
      session.admin().plans.page({ limit: 1 }, session.call),
    );
    const ofEnvironment = await checkToken(session, 'Token of the environment', () =>
      session.postrider().limits(session.call),
    );
    checks.push(management, ofEnvironment);
    if (management.state === 'ok') checks.push(await checkKeys(session));
    const { state } = environment === undefined ? ofEnvironment : management;
    if (state === 'ok') checks.push(...(await checkEmail(session, options)));
  }
  session.show({ data: checks }, (_, style) =>
    table(['state', 'check', 'detail'], checks, withoutWidth(style)),
  );
  const failed = checks.filter(({ state }) => state === 'failed').length;
  if (failed > 0) throw new Unsuccessful(`${failed} of ${checks.length} checks failed.`);
}

/** `postrider doctor`: checks an installation from here. */
export function addDoctor(program: SessionCommand): void {
  program
    .add(
      'doctor',
      'check an installation: versions, reachable API and stores, clocks, tokens, encryption keys, settings of email channels, and SPF, DKIM ' +
        'and DMARC of the domains that they send for; exits with 1 if a check failed',
    )
    .option(
      '--dns-server <address>',
      'the DNS server to query, such as 9.9.9.9; by default that of this machine',
    )
    .inEnvironment()
    .examples({ 'postrider doctor': 'What is wrong?' })
    .runs((session, options: DoctorOptions) => doctor(session, program.version() ?? '', options));
}
