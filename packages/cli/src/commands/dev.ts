import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionCommand } from '../command.ts';
import { Unsuccessful, UsageError } from '../exit-codes.ts';
import { isSameAddress, readProfile, writeProfile } from '../profiles.ts';
import type { Session } from '../session.ts';

const PACKAGE = '@postrider/local';
/** Where the data is, in the folder in which the command is run. */
const DIRECTORY = '.postrider';

interface StackVariables {
  readonly POSTRIDER_URL: string;
  readonly ADMIN_TOKEN: string;
  readonly POSTRIDER_TOKEN: string;
  readonly POSTRIDER_ENVIRONMENT: string;
}

/** The module of the package. */
interface LocalStack {
  start(root: string, onLifetime: () => void, onReady: (variables: StackVariables) => void): Promise<number>;
}

/** The path of the package's manifest and module, as this project, or else this command, has it installed. */
function findPackage(): { readonly root: string; readonly module: string } | null {
  for (const from of [pathToFileURL(join(process.cwd(), 'index.js')).href, import.meta.url]) {
    try {
      const module = createRequire(from).resolve(PACKAGE);
      return { module, root: module.slice(0, module.lastIndexOf(join('packages', 'local-stack'))) };
    } catch {
      // It is not installed there.
    }
  }
  return null;
}

/** Stores how to reach the stack, in a profile that is not one of another installation. */
function storeProfile(session: Session, stack: StackVariables): void {
  const { io, profile: chosen } = session;
  const { POSTRIDER_URL: url, ADMIN_TOKEN: token } = stack;
  const { POSTRIDER_TOKEN: environment_token, POSTRIDER_ENVIRONMENT: environment } = stack;
  const before = readProfile(io, chosen);
  const isFree = before === null || isSameAddress(before.url, url);
  const name = isFree ? chosen : 'local';
  const own = { url, token, name: 'admin', environment_token, environment };
  writeProfile(io, name, { ...(isFree ? before : {}), ...own });
  const how = name === 'default' ? '' : ` with --profile ${name}`;
  session.note(`The command line is signed in to it${how}: postrider trigger order.shipped --wait`);
}

/** Creates the folder for the data in a project, which Git ignores: it has keys and tokens. */
export function ownDirectory(parent: string): string {
  const directory = join(parent, DIRECTORY);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, '.gitignore'), '*\n');
  return directory;
}

async function dev(session: Session): Promise<void> {
  const found = findPackage();
  if (!found)
    throw new UsageError(
      `${PACKAGE}, which contains the service, is not installed: run npm install ${PACKAGE}. In a checkout of Postrider, run npm start instead.`,
    );
  process.env.POSTRIDER_LOCAL_DIR ||= ownDirectory(process.cwd());
  const { start } = (await import(pathToFileURL(found.module).href)) as LocalStack;
  const code = await start(
    found.root,
    () => undefined,
    (stack) => storeProfile(session, stack),
  );
  if (code !== 0) throw new Unsuccessful('The local stack has ended.');
  // Otherwise a timer of the database client keeps the process for ten seconds.
  process.exit();
}

/** `postrider dev`: the whole service on this machine. */
export function addDev(program: SessionCommand): void {
  program
    .add(
      'dev',
      `run Postrider on this machine until Ctrl-C, with its own PostgreSQL, Redis, mail catcher and webhook receiver; data is in ${DIRECTORY}`,
    )
    .examples({
      [`npm install ${PACKAGE} && npx postrider dev`]:
        'Nothing else is needed, except for Redis on systems other than Debian and Ubuntu.',
    })
    .runs(dev);
}
