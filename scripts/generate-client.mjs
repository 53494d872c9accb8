import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { CommandFailed, dependencyScript, main, ROOT, run } from './root.mjs';

const CLIENT = join(ROOT, 'packages', 'client');
const DOCUMENT = join(CLIENT, 'openapi.json');
const BIOME = dependencyScript('@biomejs/biome/bin/biome');
const LOADER = ['--import', 'tsx', '--conditions=@postrider/source', '--disable-warning=ExperimentalWarning'];

/** The default of Node.js is 1 MiB. */
const MAX_DOCUMENT_BYTES = 16 * 1_048_576;

/** The document as text, made from the API's sources by another process, because they are TypeScript. */
function openApiDocument() {
  const script = join(ROOT, 'scripts', 'openapi-document.mjs');
  const child = spawnSync(process.execPath, [...LOADER, script], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: MAX_DOCUMENT_BYTES,
  });
  if (child.status !== 0) throw new CommandFailed(`The document cannot be built.\n${child.stderr}`);
  return child.stdout;
}

/**
 * npm run generate:client: writes the OpenAPI document of the API and the types generated from it into packages/client,
 * packages/client-python and packages/client-go, and the descriptions of its resources into packages/cli. Tests fail if one of
 * them is out of date.
 */
await main(async () => {
  await prepare();
  const document = openApiDocument();
  writeFileSync(DOCUMENT, document);
  await run(process.execPath, [BIOME, 'format', '--write', DOCUMENT]);
  const { generateTypes } = await import(join(CLIENT, 'generate-types.mjs'));
  const { client, schemas, commands } = await generateTypes(DOCUMENT);
  writeFileSync(join(CLIENT, 'src', 'generated.ts'), client);
  writeFileSync(join(CLIENT, 'src', 'generated.schemas.ts'), schemas);
  writeFileSync(join(ROOT, 'packages', 'cli', 'src', 'generated.ts'), commands);
  await run(process.execPath, [...LOADER, join(ROOT, 'scripts', 'other-languages.mjs')], { show: true });
});
