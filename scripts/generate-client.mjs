import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { CommandFailed, main, ROOT } from './root.mjs';

const CLIENT = join(ROOT, 'packages', 'client');
const DOCUMENT = join(CLIENT, 'openapi.json');
const LOADER = ['--import', 'tsx', '--conditions=@postrider/source', '--disable-warning=ExperimentalWarning'];

/** The document as text, from the API's sources; a process of its own, because they are TypeScript. */
function openApiDocument() {
  const script = join(ROOT, 'scripts', 'openapi-document.mjs');
  const child = spawnSync(process.execPath, [...LOADER, script], { cwd: ROOT, encoding: 'utf8' });
  if (child.status !== 0) throw new CommandFailed(`The document cannot be built.\n${child.stderr}`);
  return child.stdout;
}

/**
 * npm run generate:client: writes the OpenAPI document that the API serves, and the types made of it, into
 * packages/client. Tests there fail when either is not what this would write.
 */
await main(async () => {
  await prepare();
  writeFileSync(DOCUMENT, openApiDocument());
  const { generateTypes } = await import(join(CLIENT, 'generate-types.mjs'));
  writeFileSync(join(CLIENT, 'src', 'generated.ts'), await generateTypes(DOCUMENT));
});
