import { existsSync } from 'node:fs';
import { describe, expect, it } from '@postrider/testing';
import { acceptAll } from '../src/scenarios/scenario.ts';
import { createClusterTemplate } from '../src/stack/cluster-template.ts';
import { openStack } from '../src/stack/stack.ts';

describe('a stack', () => {
  it('that cannot start ends everything it had started', async () => {
    const template = await createClusterTemplate();
    const copies: string[] = [];
    async function copy(): Promise<string> {
      const directory = await template.copy();
      copies.push(directory);
      return directory;
    }
    const redisSettings = ['no-such-setting yes'];
    const opening = openStack({ redisSettings }, { template: { ...template, copy }, treat: acceptAll });
    await expect(opening).rejects.toThrow('Redis did not start');
    expect(copies.map((directory) => existsSync(directory))).toEqual([false]);
    await template.remove();
  });
});
