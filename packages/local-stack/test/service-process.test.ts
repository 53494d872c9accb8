import { join } from 'node:path';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { createService, ROOT, type ServiceOptions } from '../src/testing/index.ts';

const ARGS = [join(ROOT, 'packages/local-stack/test/ends-when-asked.mjs')];

describe('a process of the service', () => {
  async function setUp(options: Partial<ServiceOptions> = {}) {
    const service = await createService({ app: 'api', env: {}, run: { args: ARGS }, ...options });
    const answers = () =>
      fetch(service.url).then(
        () => true,
        () => false,
      );
    await service.start();
    const ended = async () => {
      await fetch(`${service.url}/end`);
      await waitFor('it to end', () => service.ownExits() === 1);
    };
    return { service, answers, ended };
  }

  it('is restarted after it exits by itself, if that is configured', async () => {
    const { service, answers, ended } = await setUp({ restarts: true });
    await ended();
    await waitFor('it to answer again', answers);
    await service.kill();
    expect(await answers()).toBe(false);
  });

  it('runs once if it is killed and started before its restart', async () => {
    const { service, answers, ended } = await setUp({ restarts: true });
    await ended();
    await service.kill();
    await service.start();
    expect(service.ownExits()).toBe(1);
    await service.kill();
    expect(await answers()).toBe(false);
  });

  it('reports an exit code other than 0 on stop', async () => {
    const { service } = await setUp();
    await service.stop();
    expect(service.uncleanStops()).toBe(1);
    expect(service.ownExits()).toBe(0);
  });

  it('that ends while starting is reported with its exit code and output', async () => {
    const run = { args: ['--eval', 'console.error("no database"); process.exit(3)'] };
    await expect(setUp({ run })).rejects.toThrow(/ended with 3\nno database/);
  });
});
