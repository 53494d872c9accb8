import { putEventType } from '@postrider/db';
import { Command } from 'commander';
import { eventKey, id, readJsonFile } from '../arguments.ts';
import { withContext } from '../context.ts';
import { UsageError } from '../usage-error.ts';

/** `postrider event-types`: what an event’s payload must look like. */
export function eventTypesCommand(): Command {
  const put = new Command('put')
    .description('describe an event key, optionally with a JSON Schema (2020-12) for its payload')
    .requiredOption('--environment <id>', 'the environment, env_…', id('env'))
    .requiredOption('--event-key <key>', 'the event', eventKey)
    .option('--description <text>', 'what it means')
    .option('--schema-file <path>', 'the JSON Schema')
    .action((options) =>
      withContext(async ({ db }) => {
        const stored = await putEventType(db, {
          environmentId: options.environment,
          eventKey: options.eventKey,
          description: options.description ?? null,
          payloadSchema: options.schemaFile ? await readJsonFile(options.schemaFile) : null,
        });
        if (stored.outcome === 'invalid_schema') {
          throw new UsageError(stored.faults.map(({ path, message }) => `schema ${path}: ${message}`));
        }
        return { event_key: options.eventKey };
      }),
    );
  return new Command('event-types').description('what an event’s payload must look like').addCommand(put);
}
