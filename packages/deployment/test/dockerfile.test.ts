import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_ARGUMENTS } from '@postrider/local-stack';
import { ROOT } from '@postrider/local-stack/testing';
import { describe, expect, it } from '@postrider/testing';
import { validate } from 'dockerfile-utils';

const text = readFileSync(join(ROOT, 'docker', 'Dockerfile'), 'utf8');

/** The instructions of each stage by its name, without comments and with continued lines joined. */
const stages = new Map(
  text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((stage) => [/ AS (\S+)/.exec(stage)?.[1] ?? '', stage]),
);
const stage = (name: string) => stages.get(name) ?? '';

describe('docker/Dockerfile', () => {
  it('passes the linter', () => {
    expect(validate(text)).toEqual([]);
  });

  it('has an image for each app and for the command', () => {
    expect([...stages.keys()]).toEqual(['build', 'runtime', 'api', 'worker', 'cli']);
  });

  it('runs every image as a numeric non-root user, from a base without build tools', () => {
    expect(stage('runtime')).toMatch(/^FROM debian:.*-slim/);
    expect(stage('runtime')).toMatch(/^USER [1-9]\d+:[1-9]\d+$/m);
    for (const name of ['api', 'worker', 'cli']) {
      expect(stage(name)).toMatch(/^FROM runtime AS/);
      expect(stage(name)).not.toMatch(/^(USER|RUN) /m);
    }
  });

  it.each(['api', 'worker'] as const)(
    'makes Node.js the first process of the %s, which gets the signals',
    (name) => {
      const command = ['node', ...NODE_ARGUMENTS[name], `apps/${name}/dist/bundle/main.js`];
      const [, stated = '[]'] = /^CMD (.*)$/m.exec(stage(name)) ?? [];
      expect(JSON.parse(stated)).toEqual(command);
      expect(stage(name)).toMatch(/^HEALTHCHECK .*CMD \["node",.*\/healthz/m);
    },
  );

  it('only runs migrations by the command line', () => {
    expect(stage('cli')).toMatch(/^ENTRYPOINT \["postrider"\]$/m);
    expect(stage('api') + stage('worker')).not.toContain('migrate');
  });

  it('takes the content of an image from the script of the artefact tests', () => {
    for (const name of ['api', 'worker', 'cli']) {
      expect(stage('build')).toContain(`node docker/assemble.mjs ${name} /artefacts/${name}`);
      expect(stage(name)).toContain(`COPY --from=build /artefacts/${name} /app`);
    }
  });
});
