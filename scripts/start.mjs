import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { CommandFailed, main, onParentLoss, ROOT } from './root.mjs';

/** Refuses ports that cannot be used before the build, which takes a minute. Imports a dependency that is installed first. */
async function checkPorts() {
  const ports = await import('../packages/local-stack/choose-port.mjs');
  await ports.checkPorts(process.env).catch(({ message }) => {
    throw new CommandFailed(message);
  });
}

/** npm start: prepares, builds, and runs everything on this machine until it is interrupted. */
await main(async () => {
  await prepare({ build: '.', beforeBuild: checkPorts });
  const { start } = await import(join(ROOT, 'packages', 'local-stack', 'dist', 'index.js'));
  return start(ROOT, (lifetime) => onParentLoss(lifetime.interrupt));
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
