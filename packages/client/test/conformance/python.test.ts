import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startConformanceServer } from '@postrider/rig/conformance';
import { describeWith, expect, it } from '@postrider/testing';
import { findEnvironment } from '../../../hostile/src/fuzz/python.ts';
import { PYTHON, PYTHON_REQUIREMENTS } from '../../generate-other-languages.mjs';
import { LONG, run, search } from '../generators/toolchains.ts';
import { expectCurrentTypes, expectQuickstart, programsIn, ROOT } from '../support/quickstart.ts';

const CLIENT = join(ROOT, 'packages/client-python');
const found = await search(() => findEnvironment('client-python', PYTHON_REQUIREMENTS));

describeWith(found, 'the Python client', (programs) => {
  const python = join(programs, 'python');

  it(
    'passes the conformance suite',
    async () => {
      const server = await startConformanceServer();
      const env = { ...process.env, CONFORMANCE_URL: server.url, PYTHONPATH: 'src' };
      const command = `"${python}" -m unittest discover --start-directory tests 2>&1`;
      const output = await run('sh', ['-c', command], CLIENT, env);
      await server.close();
      expect(output).toMatch(/^Ran [1-9]\d+ tests/m);
    },
    LONG,
  );

  it(
    'sends, reads, replays and verifies as its README says, which passes strict type checks',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'postrider-python-'));
      const [send, receive] = await programsIn(join(CLIENT, 'README.md'), 'python');
      await writeFile(join(directory, 'send.py'), send);
      await writeFile(join(directory, 'receive.py'), receive);
      await run(join(programs, 'mypy'), ['src', 'tests', directory], CLIENT, {
        ...process.env,
        MYPYPATH: 'src',
      });
      const install = ['install', '--quiet', '--no-deps', '--no-build-isolation', '--target', 'installed'];
      await run(join(programs, 'pip'), [...install, CLIENT], directory);
      const script = (name: string): [string, ...string[]] => [
        'env',
        'PYTHONPATH=installed',
        python,
        join(directory, name),
      ];
      await expectQuickstart({ send: script('send.py'), receive: script('receive.py') }, directory);
      await rm(directory, { recursive: true, force: true });
    },
    LONG,
  );

  it(
    'has the types of the OpenAPI document ("npm run generate:client")',
    () => expectCurrentTypes(PYTHON, programs),
    LONG,
  );
});
