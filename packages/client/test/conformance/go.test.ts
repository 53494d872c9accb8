import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startConformanceServer } from '@postrider/rig/conformance';
import { describeWith, expect, it } from '@postrider/testing';
import { GO } from '../../generate-other-languages.mjs';
import { findProgram, LONG, run, search } from '../generators/toolchains.ts';
import { expectCurrentTypes, expectQuickstart, programsIn, ROOT } from '../support/quickstart.ts';

const CLIENT = join(ROOT, 'packages/client-go');

/** The path of a Go that can build the client. Rejects with the reason if there is none, or no modules can be downloaded. */
async function findGo(): Promise<string> {
  const go = await findProgram('go');
  await run(go, ['mod', 'download'], CLIENT);
  return go;
}

describeWith(await search(findGo), 'the Go client', (go) => {
  it(
    'passes the conformance suite, and has no findings of go vet and gofmt',
    async () => {
      expect(await run('gofmt', ['-l', '.'], CLIENT)).toBe('');
      await run(go, ['vet', './...'], CLIENT);
      const server = await startConformanceServer();
      const args = ['test', '-count=1', '-v', '.'];
      const output = await run(go, args, CLIENT, { ...process.env, CONFORMANCE_URL: server.url });
      await server.close();
      expect(output.match(/--- PASS: TestConformance\//g)?.length).toBeGreaterThan(1);
    },
    LONG,
  );

  it(
    'sends, reads, replays and verifies as its README says',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'postrider-go-'));
      await cp(CLIENT, directory, { recursive: true });
      const programs = await programsIn(join(CLIENT, 'README.md'), 'go');
      for (const [index, name] of ['send', 'receive'].entries()) {
        await mkdir(join(directory, name));
        await writeFile(join(directory, name, 'main.go'), programs[index] ?? '');
      }
      expect(await run('gofmt', ['-l', '.'], directory)).toBe('');
      await run(go, ['build', '-o', 'programs/', './send', './receive'], directory);
      const path = (name: string): [string] => [join(directory, 'programs', name)];
      await expectQuickstart({ send: path('send'), receive: path('receive') }, directory);
      await rm(directory, { recursive: true, force: true });
    },
    LONG,
  );

  it(
    'has the types of the OpenAPI document ("npm run generate:client")',
    () => expectCurrentTypes(GO, go),
    LONG,
  );
});
