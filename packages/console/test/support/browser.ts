import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { lock } from '../../../local-stack/process-lock.mjs';

/** Where Debian and others put a Chromium of the system. */
const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGUMENTS = ['--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text'];

/**
 * Unpacks the Chromium that npm brought, once for each machine. Processes take turns: the file is there before it is
 * whole.
 */
async function unpack(): Promise<string> {
  const held = await lock(tmpdir(), 'unpack-chromium');
  try {
    return await chromium.executablePath();
  } finally {
    await held.release();
  }
}

/** The libraries that a minimal system lacks, beside the browser. */
async function unpackLibraries(): Promise<string> {
  const held = await lock(tmpdir(), 'unpack-chromium');
  try {
    const directory = join(tmpdir(), 'al2023');
    if (!existsSync(directory))
      await inflate(
        join(
          dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))),
          '..',
          'bin',
          'al2023.tar.br',
        ),
      );
    return join(directory, 'lib');
  } finally {
    await held.release();
  }
}

/** Starts a headless Chromium: that of the system, else the one from npm, which needs no further packages. */
export async function launchBrowser(): Promise<Browser> {
  const system = SYSTEM.find((path) => existsSync(path));
  if (system) return playwright.launch({ executablePath: system, args: ARGUMENTS });
  const executablePath = await unpack();
  const fonts = { FONTCONFIG_PATH: join(tmpdir(), 'fonts') };
  const launch = (env: Record<string, string>) =>
    playwright.launch({
      executablePath,
      args: ARGUMENTS,
      env: { ...(process.env as Record<string, string>), ...fonts, ...env },
    });
  return launch({}).catch(async (error: unknown) => {
    if (!String(error).includes('shared libraries')) throw error;
    return launch({ LD_LIBRARY_PATH: await unpackLibraries() });
  });
}
