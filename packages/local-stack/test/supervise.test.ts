import { startProgram } from '@postrider/rig/servers';
import { describe, expect, it } from '@postrider/testing';
import { eventually, isAlive } from './support.ts';

const node = (script: string) => ({
  name: 'The test program',
  command: process.execPath,
  args: ['-e', script],
});

describe('startProgram', () => {
  it('reports how the program ended, and its last output', async () => {
    const program = await startProgram(
      node('console.log("one"); console.error("two"); process.exitCode = 3'),
    );
    expect(await program.exited).toEqual({ code: 3, signal: null });
    expect(program.output.lastLines().sort()).toEqual(['one', 'two']);
  });

  it('rejects if the program does not exist', async () => {
    const missing = startProgram({ name: 'Nothing', command: '/no/such/program', args: [] });
    await expect(missing).rejects.toThrow(/Nothing did not start/);
  });

  it('kills a program that does not stop, and its children', async () => {
    const script = `
      process.on('SIGTERM', () => undefined);
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
      console.log('child ' + child.pid);
      setInterval(() => {}, 1e6);`;
    const program = await startProgram({ ...node(script), stopTimeoutMs: 100 });
    expect(await program.output.waitFor(/^child \d+$/)).toBe(true);
    const grandchild = Number(program.output.lastLines()[0]?.split(' ')[1]);
    await program.stop();
    expect(isAlive(program.pid)).toBe(false);
    await eventually(() => !isAlive(grandchild));
  });

  it('lets a program end by itself when it is stopped', async () => {
    const program = await startProgram(
      node('process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 1e6); console.log("ready")'),
    );
    await program.output.waitFor(/ready/);
    await program.stop();
    expect(await program.exited).toEqual({ code: 9, signal: null });
  });

  it('finds no line in an output that ended without it', async () => {
    const program = await startProgram(node('console.log("something else")'));
    expect(await program.output.waitFor(/never written/)).toBe(false);
  });
});
