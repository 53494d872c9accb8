import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFixture, createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { EMAIL_TEMPLATE } from '../../../../apps/api/test/support/database.ts';
import { type ServiceHere, startServiceHere } from '../../../../apps/api/test/support/service.ts';
import { findPython } from '../../../hostile/src/fuzz/python.ts';
import { describeWithToolchain, execute, findProgram, LONG, PROGRAMS, run } from './toolchains.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OPENAPI_PYTHON_CLIENT = 'openapi-python-client==0.29.1';
const OPENAPI_GENERATOR = { artifact: 'org.openapitools:openapi-generator-cli', version: '7.17.0' };
const MAVEN_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const MIN_JAVA = 17;

/** Everything is below it. The package managers keep their usual caches and settings, such as mirrors. */
let directory: string;
let document: string;

/** The home of the JDK that Maven uses. */
async function findJdk(): Promise<string> {
  const { stdout } = await execute(await findProgram('mvn'), ['--batch-mode', '--version']);
  const [, version, home = ''] = /^Java version: (\d+).*runtime: (.*)$/m.exec(stdout) ?? [];
  if (Number(version) < MIN_JAVA)
    throw new Error(`Maven uses Java ${version}, which is older than ${MIN_JAVA}`);
  if (!existsSync(join(home, 'bin', 'javac'))) throw new Error(`Maven's Java in ${home} has no compiler`);
  return home;
}

let installing: Promise<string> | undefined;

/** Installs openapi-generator with Maven, once for both languages, and returns the path of its archive. */
function installOpenApiGenerator(): Promise<string> {
  const { artifact, version } = OPENAPI_GENERATOR;
  const copy = [
    `${MAVEN_DEPENDENCIES}:copy`,
    `-Dartifact=${artifact}:${version}`,
    `-DoutputDirectory=${directory}`,
  ];
  installing ??= run('mvn', ['--batch-mode', '--quiet', ...copy], directory).then(() =>
    join(directory, `openapi-generator-cli-${version}.jar`),
  );
  return installing;
}

async function generateWithOpenApiGenerator(jdk: string, cwd: string, options: readonly string[]) {
  const archive = await installOpenApiGenerator();
  const args = ['-jar', archive, 'generate', '--input-spec', document, ...options];
  await run(join(jdk, 'bin', 'java'), args, cwd);
}

interface Generator {
  readonly name: string;
  /** The folder of the program beside this file, which POSTRIDER_MAY_SKIP can name. */
  readonly language: string;
  /** What the generator and its client need besides Node.js: a program or its home. Rejects with the reason if it is missing. */
  find(): Promise<string>;
  /** Installs the generator, generates the client, and compiles it with the program. Returns the command of the program. */
  build(toolchain: string, cwd: string): Promise<readonly [string, ...string[]]>;
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'oapi-codegen',
    language: 'go',
    find: () => findProgram('go'),
    async build(go, cwd) {
      await run(go, ['install', OAPI_CODEGEN], cwd, { ...process.env, GOBIN: directory });
      await mkdir(join(cwd, 'postrider'));
      const options = ['-generate', 'types,client', '-package', 'postrider', '-o', 'postrider/client.go'];
      await run(join(directory, 'oapi-codegen'), [...options, document], cwd);
      await run(go, ['build', '-o', 'shop', '.'], cwd);
      return [join(cwd, 'shop')];
    },
  },
  {
    name: 'openapi-python-client',
    language: 'python',
    find: findPython,
    async build(python, cwd) {
      await run(python, ['-m', 'venv', 'environment'], cwd);
      const bin = join(cwd, 'environment', 'bin');
      await run(join(bin, 'pip'), ['install', '--quiet', OPENAPI_PYTHON_CLIENT], cwd);
      // It formats the client with ruff, from the PATH.
      const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
      const options = ['--meta', 'none', '--output-path', 'postrider', '--fail-on-warning'];
      const generate = ['generate', '--path', document, ...options];
      await run(join(bin, 'openapi-python-client'), generate, cwd, env);
      await run(join(bin, 'python'), ['-m', 'compileall', '-q', 'postrider'], cwd);
      return [join(bin, 'python'), 'main.py'];
    },
  },
  {
    name: 'openapi-generator (TypeScript)',
    language: 'typescript',
    find: findJdk,
    async build(jdk, cwd) {
      const options = ['--generator-name', 'typescript-fetch', '--output', 'postrider'];
      // With names in camel case this generator sends each field twice where `additionalProperties` is false.
      const properties = 'modelPropertyNaming=original,importFileExtension=.js';
      await generateWithOpenApiGenerator(jdk, cwd, [...options, '--additional-properties', properties]);
      await writeFile(join(cwd, 'package.json'), JSON.stringify({ type: 'module' }));
      const compilerOptions = {
        strict: true,
        target: 'es2022',
        module: 'nodenext',
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
      };
      await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      await run(process.execPath, [compiler, '-p', '.'], cwd);
      return [process.execPath, 'main.js'];
    },
  },
  {
    name: 'openapi-generator (Java)',
    language: 'java',
    find: findJdk,
    async build(jdk, cwd) {
      const options = ['--generator-name', 'java', '--library', 'native', '--output', '.'];
      await generateWithOpenApiGenerator(jdk, cwd, options);
      await copyFile(join(cwd, 'Main.java'), join(cwd, 'src', 'main', 'java', 'Main.java'));
      const libraries = [`${MAVEN_DEPENDENCIES}:copy-dependencies`, '-DoutputDirectory=libraries'];
      await run('mvn', ['--batch-mode', '--quiet', 'compile', ...libraries], cwd);
      return [join(jdk, 'bin', 'java'), '-cp', ['target/classes', 'libraries/*'].join(delimiter), 'Main'];
    },
  },
];

let database: TestDatabase;
let service: ServiceHere;
let variables: Readonly<Record<string, string>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-generators-'));
  document = join(directory, 'openapi.json');
  database = await createTestDatabase();
  service = await startServiceHere({ database });
  const from = { email: 'shop@example.com' };
  const { token, environmentId } = await createFixture(database.db, {
    channels: [
      { kind: 'webhook', name: 'Shop', config: { url: 'http://127.0.0.1:9/in' } },
      { kind: 'email', name: 'Mail', config: { smtp: { host: '127.0.0.1', port: 9 }, from } },
    ],
    templates: [EMAIL_TEMPLATE],
  });
  variables = {
    POSTRIDER_URL: service.url,
    POSTRIDER_TOKEN: token,
    POSTRIDER_ENVIRONMENT: formatId('env', environmentId),
    ADMIN_TOKEN: service.adminToken,
  };
  const response = await fetch(`${service.url}/openapi.json`);
  await writeFile(document, await response.text());
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

for (const { name, language, find, build } of GENERATORS) {
  const title = `the client that ${name} generates`;
  await describeWithToolchain({ title, language, find }, (toolchain) => {
    it(
      'compiles, sends an event, lists it, and reads channels of different kinds',
      async () => {
        const cwd = join(directory, language);
        await cp(join(PROGRAMS, language), cwd, { recursive: true });
        const [program, ...args] = await build(toolchain, cwd);
        // Without settings of proxies: the service is on this machine.
        const env = { ...variables, PATH: process.env.PATH, IDEMPOTENCY_KEY: randomUUID() };
        const output = await run(program, args, cwd, env);

        process.stdout.write(`${title}:\n${output}`);
        const [message = '', ...channels] = output.trim().split('\n');
        expect(message).toMatch(/^msg_[0-9a-z]{26} A-1$/);
        expect(channels.sort()).toEqual(['email shop@example.com', 'webhook http://127.0.0.1:9/in']);
      },
      LONG,
    );
  });
}
