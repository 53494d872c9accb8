import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@postrider/testing';

/** Prints the URL of every module that an import loads. */
const HOOK = `export async function load(url, context, next) { process._rawDebug(url); return next(url, context); }`;
const REGISTER = `import { register } from 'node:module'; register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(HOOK))});`;
/** Libraries, and what connects to brokers and mail servers. */
const NETWORK_LIBRARIES = /\/(?:node_modules|channels\/dist)\/(connections|nodemailer|got)[/.]/;

/** The modules that a process of its own loads when it runs these imports. */
function loadedBy(script: string): string[] {
  const loader = `data:text/javascript,${encodeURIComponent(REGISTER)}`;
  const args = ['--import', loader, '--input-type=module', '--eval', script];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr.slice(-2_000));
  return child.stderr.split('\n').filter((line) => line.startsWith('file:'));
}

const built = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

describe('the API', () => {
  it('loads neither a mail library nor an HTTP client with the definitions of the channel kinds', () => {
    const loaded = loadedBy(
      `await import(${built('../dist/app.js')}); await import(${built('../dist/compose.js')});`,
    );

    expect(loaded.some((url) => url.includes('/packages/channels/dist/email/index.js'))).toBe(true);
    expect(loaded.filter((url) => NETWORK_LIBRARIES.test(url))).toEqual([]);
  });

  it('would load them with the senders', () => {
    const loaded = loadedBy(
      `const { channelKinds } = await import(${built('../../../packages/channels/dist/index.js')});
       for (const { loadSender } of channelKinds.definitions) await loadSender();`,
    );

    const libraries = loaded.map((url) => NETWORK_LIBRARIES.exec(url)?.[1]).filter(Boolean);
    expect([...new Set(libraries)].sort()).toEqual(['connections', 'got', 'nodemailer']);
  });
});
