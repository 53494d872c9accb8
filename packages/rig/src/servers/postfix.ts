import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../time.ts';
import {
  cacheDirectoryOf,
  type DebianPackage,
  type Found,
  libraryDirectories,
  unpackDebian,
} from './fetch-debian.ts';
import { chooseFreePort } from './free-port.ts';
import { startProgram } from './supervise.ts';
import { TLS_FRONT_CERTIFICATE, TLS_FRONT_KEY } from './tls-front.ts';

const MASTER = 'usr/lib/postfix/sbin/master';
const POSTFIX: DebianPackage = { packageName: 'postfix', markers: [MASTER] };
/** An account and a group that every Debian has, with their fixed ids, in place of those that the package creates. */
const OWNER = { name: 'mail', uid: 8, gid: 8 };
const SETGID_GROUP = { name: 'daemon', gid: 1 };
const DOMAIN = 'example.com';
/** The file with the authority of the clients' certificates. */
const AUTHORITY = 'authority.pem';

/** Unpacks the package of Debian or Ubuntu. Postfix runs its programs as other accounts, so it needs root. */
export async function findPostfix(): Promise<Found<string>> {
  if (process.getuid?.() !== 0) return { ok: false, reason: 'Postfix starts as root alone' };
  return unpackDebian(POSTFIX, join(cacheDirectoryOf(process.env), 'postfix'));
}

interface PostfixOptions {
  /** Local parts at `example.com` that have a mailbox. */
  readonly mailboxes: readonly string[];
  /** Local parts at `example.com` whose mail is taken, and then sent on to the SMTP server at `port`. */
  readonly relayed?: { readonly names: readonly string[]; readonly port: number };
  /** The largest mail; Postfix's own limit by default. */
  readonly maxMessageBytes?: number;
  /** The port of a server that Postfix asks about every recipient (policy delegation protocol). It asks none by default. */
  readonly policyPort?: number;
  /** Certificate of the authority that signs the certificates of clients, in PEM. */
  readonly clientAuthority?: string;
}

/** A mail server for `example.com`. */
export interface Postfix {
  /** Accepts mail without TLS. */
  readonly port: number;
  /** Offers STARTTLS with the certificate `TLS_FRONT_CERTIFICATE`. */
  readonly startTlsPort: number;
  /** Uses TLS from the first byte, with the same certificate. */
  readonly tlsPort: number;
  /** As `tlsPort`, and refuses clients without a certificate of `clientAuthority`. */
  readonly clientCertificatePort: number;
  /** As `port`, and asks the policy server also at the connection and at `MAIL FROM`, where it refuses at once. */
  readonly strictPort: number;
  /** Reads the stored mails of a mailbox, one character per byte, in no particular order. */
  mailsOf(mailbox: string): Promise<string[]>;
  stop(): Promise<void>;
}

const PRIVATE_QUEUES = [
  ...['active', 'bounce', 'corrupt', 'defer', 'deferred', 'flush', 'hold', 'incoming', 'private', 'saved'],
  'trace',
];

/** Creates the directories that the package's set-up would create. */
async function makeDirectories(directory: string): Promise<void> {
  const queue = join(directory, 'queue');
  const owned = async (path: string, mode: number, gid = OWNER.gid) => {
    await mkdir(path, { recursive: true });
    await chown(path, OWNER.uid, gid);
    await chmod(path, mode);
  };
  // Postfix runs its programs as other accounts, which must be able to enter.
  await chmod(directory, 0o755);
  await mkdir(join(queue, 'pid'), { recursive: true });
  for (const name of PRIVATE_QUEUES) await owned(join(queue, name), 0o700);
  await owned(join(queue, 'maildrop'), 0o1730, SETGID_GROUP.gid);
  await owned(join(queue, 'public'), 0o2710, SETGID_GROUP.gid);
  for (const name of ['data', 'mail']) await owned(join(directory, name), 0o700);
  for (const name of ['etc', 'log']) await mkdir(join(directory, name));
}

/** The restriction that asks the policy server. */
const policyOf = (port: number | undefined) =>
  port === undefined ? 'permit_mynetworks' : `check_policy_service inet:127.0.0.1:${port}`;

function mainConfig(root: string, directory: string, options: PostfixOptions, libraries: string): string {
  const {
    clientAuthority,
    mailboxes,
    relayed = { names: [], port: 0 },
    maxMessageBytes = 10_240_000,
    policyPort,
  } = options;
  const addresses = [...mailboxes, ...relayed.names];
  const mapped = (names: readonly string[], value: (name: string) => string) =>
    `inline:{ ${names.map((name) => `{ ${name}@${DOMAIN} = ${value(name)} }`).join(', ')} }`;
  const programs = join(root, 'usr/lib/postfix');
  const environment = `MAIL_CONFIG=${join(directory, 'etc')} LD_LIBRARY_PATH=${libraries}`;
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(directory, 'queue'),
    data_directory: join(directory, 'data'),
    daemon_directory: join(programs, 'sbin'),
    command_directory: join(root, 'usr/sbin'),
    shlib_directory: programs,
    meta_directory: join(root, 'usr/share/postfix'),
    mail_owner: OWNER.name,
    setgid_group: SETGID_GROUP.name,
    default_privs: 'nobody',
    import_environment: environment,
    export_environment: environment,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    mynetworks: '127.0.0.0/8',
    myhostname: 'postfix.test',
    mydestination: '',
    alias_maps: '',
    alias_database: '',
    virtual_mailbox_domains: DOMAIN,
    virtual_mailbox_base: join(directory, 'mail'),
    virtual_mailbox_maps: mapped(addresses, (name) => `${name}/`),
    transport_maps:
      relayed.names.length === 0 ? '' : mapped(relayed.names, () => `smtp:[127.0.0.1]:${relayed.port}`),
    // Mail to `bounces+token` goes to `bounces`.
    recipient_delimiter: '+',
    virtual_uid_maps: `static:${OWNER.uid}`,
    virtual_gid_maps: `static:${OWNER.gid}`,
    virtual_minimum_uid: '1',
    message_size_limit: String(maxMessageBytes),
    mailbox_size_limit: '0',
    virtual_mailbox_limit: '0',
    smtpd_tls_cert_file: TLS_FRONT_CERTIFICATE,
    smtpd_tls_key_file: TLS_FRONT_KEY,
    // Without certificates in the file, Postfix offers no TLS.
    smtpd_tls_CAfile: clientAuthority === undefined ? '' : join(directory, 'etc', AUTHORITY),
    smtpd_recipient_restrictions: `reject_unlisted_recipient, ${policyOf(policyPort)}, permit_mynetworks, reject`,
    maillog_file: join(directory, 'log', 'mail.log'),
    maillog_file_prefixes: tmpdir(),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}

interface Ports {
  readonly port: number;
  readonly startTlsPort: number;
  readonly tlsPort: number;
  readonly clientCertificatePort: number;
  readonly strictPort: number;
}

/** The package's services that accept mail and put it into mailboxes, all without chroot. */
function masterConfig(ports: Ports, policyPort: number | undefined): string {
  const { port, startTlsPort, tlsPort, clientCertificatePort, strictPort } = ports;
  const policy = policyOf(policyPort);
  const smtpd = (at: number, options: string) => `127.0.0.1:${at} inet n - n - - smtpd ${options}`;
  return [
    smtpd(port, '-o smtpd_tls_security_level=none'),
    smtpd(startTlsPort, '-o smtpd_tls_security_level=may -o smtpd_tls_received_header=yes'),
    smtpd(tlsPort, '-o smtpd_tls_wrappermode=yes -o smtpd_tls_received_header=yes'),
    smtpd(
      clientCertificatePort,
      '-o smtpd_tls_wrappermode=yes -o smtpd_tls_received_header=yes -o smtpd_tls_req_ccert=yes',
    ),
    smtpd(
      strictPort,
      `-o smtpd_delay_reject=no -o { smtpd_client_restrictions = ${policy} } -o { smtpd_sender_restrictions = ${policy} }`,
    ),
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');
}

/** Whether a server sends its greeting at this port. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(5_000).on('timeout', () => socket.destroy());
    socket.once('data', () => socket.end('QUIT\r\n'));
    socket.once('close', () => resolve(socket.bytesRead > 0));
    socket.on('error', () => undefined);
  });

/** Starts Postfix from the package at `root`, with its own directory. */
export async function startPostfix(root: string, options: PostfixOptions): Promise<Postfix> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-postfix-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  const ports: Ports = {
    port: await chooseFreePort(),
    startTlsPort: await chooseFreePort(),
    tlsPort: await chooseFreePort(),
    clientCertificatePort: await chooseFreePort(),
    strictPort: await chooseFreePort(),
  };
  try {
    const etc = join(directory, 'etc');
    const libraries = (await libraryDirectories(root)).join(':');
    await makeDirectories(directory);
    await writeFile(join(etc, 'main.cf'), mainConfig(root, directory, options, libraries));
    await writeFile(join(etc, 'master.cf'), masterConfig(ports, options.policyPort));
    await writeFile(join(etc, AUTHORITY), options.clientAuthority ?? '');
    const program = await startProgram({
      name: 'Postfix',
      command: join(root, MASTER),
      args: ['-c', etc],
      cwd: directory,
      env: { ...process.env, MAIL_CONFIG: etc, LD_LIBRARY_PATH: libraries },
      removeWhenOrphaned: [directory],
    });
    await waitFor('the greeting of Postfix', async () => program.hasEnded() || (await greets(ports.port)));
    if (program.hasEnded()) {
      const log = await readFile(join(directory, 'log', 'mail.log'), 'utf8').catch(() => '');
      throw new Error(`Postfix did not start:\n${program.output.lastLines().join('\n')}\n${log}`);
    }
    return {
      ...ports,
      async mailsOf(mailbox) {
        const place = join(directory, 'mail', mailbox, 'new');
        const names = await readdir(place).catch(() => []);
        return Promise.all(names.map((name) => readFile(join(place, name), 'latin1')));
      },
      async stop() {
        await program.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
