import { run } from './run.ts';

const controller = new AbortController();
// Without a handler the first process of a container ignores SIGTERM.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    // A second signal exits immediately.
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  });
}
// The reader closed the pipe, such as `head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const { env, stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  signal: controller.signal,
});
