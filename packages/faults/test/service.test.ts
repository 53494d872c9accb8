import { describe, expect, it } from '@jest/globals';
import getPort from 'get-port';
import { createService } from '../src/stack/service.ts';
import { until } from '../src/until.ts';

const DEADLINE_MS = 30_000;

describe('a process of a stack', () => {
  async function setUp() {
    const port = await getPort({ host: '127.0.0.1' });
    const entry = 'packages/faults/test/support/ends-when-asked.mjs';
    const service = createService({
      name: 'it',
      entry,
      port,
      metricsPort: port,
      env: { PORT: String(port) },
    });
    const answers = () =>
      fetch(service.url).then(
        () => true,
        () => false,
      );
    await service.start();
    const ended = async () => {
      await fetch(`${service.url}/end`);
      await until('it has ended', DEADLINE_MS, () => service.ownExits() === 1);
    };
    return { service, answers, ended };
  }

  it('is started again when it ended by itself', async () => {
    const { service, answers, ended } = await setUp();
    await ended();
    await until('it answers again', DEADLINE_MS, answers);
    await service.kill();
    expect(await answers()).toBe(false);
  });

  it('is there once when it is killed and started before it was started again', async () => {
    const { service, answers, ended } = await setUp();
    await ended();
    await service.kill();
    await service.start();
    expect(service.ownExits()).toBe(1);
    await service.kill();
    expect(await answers()).toBe(false);
  });

  it('tells that it did not end with 0 when it was asked to stop', async () => {
    const { service } = await setUp();
    await service.stop();
    expect(service.uncleanStops()).toBe(1);
    expect(service.ownExits()).toBe(0);
  });
});
