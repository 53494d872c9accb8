import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { CommandFailed, main, ROOT } from './root.mjs';

const CLIENT = join(ROOT, 'packages', 'client');
const DOCUMENT = join(CLIENT, 'openapi.json');
const ERRORS_PAGE = join(ROOT, 'docs', 'errors.md');
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

const isErrorRow = (line) => /^\| \d/.test(line);

/** Rows of resources of the management API, which the page explains together. */
const isShared = (row) => /^\| 404 \| `(?!route_|message_|delivery_run_)/.test(row);

/** The page with the error table of the document. */
function withErrorRows(page, document) {
  const all = JSON.parse(document).info.description.split('\n').filter(isErrorRow);
  const codes = all.filter(isShared).map((row) => row.split(' | ')[1]);
  const shared = `| 404 | ${codes.join(', ')} | There is no such resource in the management API, or it was deleted. | Check the id with its prefix, the code or the key. |`;
  const rows = all.flatMap((row) => (!isShared(row) ? row : row.includes(codes[0]) ? shared : []));
  const lines = page.split('\n');
  const first = lines.findIndex(isErrorRow);
  const rest = lines.slice(first).filter((line) => !isErrorRow(line));
  return [...lines.slice(0, first), ...rows, ...rest].join('\n');
}

/**
 * npm run generate:client: writes the OpenAPI document of the API and the types generated from it into packages/client, the descriptions of its
 * resources into packages/cli,
 * and the table of error codes into docs/errors.md. Tests fail if one of them is out of date.
 */
await main(async () => {
  await prepare();
  const document = openApiDocument();
  writeFileSync(DOCUMENT, document);
  writeFileSync(ERRORS_PAGE, withErrorRows(readFileSync(ERRORS_PAGE, 'utf8'), document));
  const { generateTypes } = await import(join(CLIENT, 'generate-types.mjs'));
  const { client, commands } = await generateTypes(DOCUMENT);
  writeFileSync(join(CLIENT, 'src', 'generated.ts'), client);
  writeFileSync(join(ROOT, 'packages', 'cli', 'src', 'generated.ts'), commands);
});
