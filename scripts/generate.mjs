import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dependencyScript, main, ROOT, run } from './root.mjs';

const SCHEMA = join(ROOT, 'prisma', 'schema.prisma');
const STAMP = join(ROOT, 'packages', 'db', 'src', 'generated', '.schema-hash');

/** Generates the Prisma client into packages/db/src/generated, unless that of this schema and Prisma version exists. */
export async function generatePrismaClient(say) {
  const prisma = readFileSync(dependencyScript('prisma/package.json'), 'utf8');
  const hash = createHash('sha256')
    .update(readFileSync(SCHEMA))
    .update(JSON.parse(prisma).version)
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return;
  say('Generating the database client …');
  await run(process.execPath, [dependencyScript('prisma/build/index.js'), 'generate'], {
    env: {
      // Any existing file will do: otherwise "generate" would download this engine, which it never uses.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  writeFileSync(STAMP, hash);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(() => generatePrismaClient((line) => process.stdout.write(`${line}\n`)));
}
