import { spawnSync } from 'node:child_process';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Accounts that systems have anyway; nothing is created. */
const UNPRIVILEGED = ['postgres', '_postgres', 'nobody'];

function numericId(option: '-u' | '-g', name: string): number | null {
  const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : null;
}

/**
 * The account that PostgreSQL has to run as: null means this process's own. PostgreSQL refuses to run as root, so for
 * root it is an unprivileged account that the system already has.
 */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of UNPRIVILEGED) {
    const uid = numericId('-u', name);
    const gid = numericId('-g', name);
    if (uid !== null && gid !== null && uid !== 0) return { name, uid, gid };
  }
  throw new Error(
    `PostgreSQL does not run as root and there is none of the accounts ${UNPRIVILEGED.join(', ')}: ` +
      'run this as another user, or set DATABASE_URL',
  );
}

/** Whether `account` (null: this process's own) can enter the directory and create files there. */
export function canWrite(account: Account | null, directory: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -w . && test -x .', 'sh', directory], {
    cwd: '/',
    stdio: 'ignore',
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  return status === 0;
}

/** Whether `account` (null: this process's own) can run the program. */
export function canRun(account: Account | null, program: string): boolean {
  const { status } = spawnSync(program, ['--version'], {
    cwd: '/',
    stdio: 'ignore',
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  return status === 0;
}
