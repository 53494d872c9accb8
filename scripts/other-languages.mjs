import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GO, PYTHON, PYTHON_REQUIREMENTS } from '../packages/client/generate-other-languages.mjs';
import { findEnvironment } from '../packages/hostile/src/fuzz/python.ts';
import { main, ROOT } from './root.mjs';

const LANGUAGES = [
  [PYTHON, () => findEnvironment('client-python', PYTHON_REQUIREMENTS)],
  [GO, () => 'go'],
];

/** Part of npm run generate:client: writes the types of the clients in other languages, and says so where it cannot. */
await main(async () => {
  const document = JSON.parse(readFileSync(join(ROOT, 'packages', 'client', 'openapi.json'), 'utf8'));
  for (const [{ file, generate }, find] of LANGUAGES) {
    try {
      writeFileSync(join(ROOT, file), await generate(document, await find()));
    } catch (error) {
      process.stderr.write(`${file} is not generated again: ${error.message}\n`);
    }
  }
});
