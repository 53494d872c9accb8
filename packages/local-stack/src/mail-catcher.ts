import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram, waitUntilReady } from '@postrider/rig/servers';

const PAGE = fileURLToPath(new URL('../mail-page.mjs', import.meta.url));

export interface MailCatcher {
  readonly program: Program;
  readonly smtpPort: number;
  /** The page that shows the mail. */
  readonly pageUrl: string;
}

/** Starts maildev on 127.0.0.1. It accepts every mail, forwards none, shows them on a page and keeps them in `directory`. */
export async function startMailCatcher({
  directory,
  smtpPort,
  pagePort,
}: {
  directory: string;
  smtpPort: number;
  pagePort: number;
}): Promise<MailCatcher> {
  await mkdir(directory, { recursive: true });
  const ports = ['--smtp', String(smtpPort), '--web', String(pagePort)];
  const program = await startProgram({
    name: 'The mail catcher',
    command: process.execPath,
    args: [PAGE, '--silent', '--ip', '127.0.0.1', ...ports, '--mail-directory', directory],
  });
  await waitUntilReady(program, `http://127.0.0.1:${pagePort}/healthz`);
  return { program, smtpPort, pageUrl: `http://localhost:${pagePort}/` };
}
