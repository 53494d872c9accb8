import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { COMMANDS } from './model/commands.ts';
import { createModel } from './model/model.ts';
import { openSystem } from './model/system.ts';

/**
 * As many as run in some seconds; the long mode sets POSTRIDER_MODEL_SEQUENCES=10000. A failure prints the seed and the
 * path to set here.
 */
const SEQUENCES = Number(process.env.POSTRIDER_MODEL_SEQUENCES ?? 150);
const SEED = process.env.POSTRIDER_MODEL_SEED;
const MAX_COMMANDS = 40;
/** Generous: a sequence takes a tenth of a second. */
const MS_PER_SEQUENCE = 1_000;

let opened: Awaited<ReturnType<typeof openSystem>>;
beforeAll(async () => {
  opened = await openSystem();
});
afterAll(() => opened.drop());

it(
  'follows the state table, whatever clients, workers, sweepers and time do and in whatever order',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: MAX_COMMANDS, size: 'max' }),
        async (commands) => {
          const model = createModel();
          const real = await opened.begin();
          await fc.asyncModelRun(() => ({ model, real }), commands);
          const { inStream, charged } = model;
          expect(await real.totals()).toEqual({
            messages: inStream.length,
            environment: charged,
            tenant: charged,
          });
        },
      ),
      { numRuns: SEQUENCES, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    );
  },
  60_000 + SEQUENCES * MS_PER_SEQUENCE,
);
