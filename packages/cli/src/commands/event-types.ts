import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { record } from '../output/table.ts';
import { given, readJsonObject } from '../values.ts';

interface PutOptions {
  readonly environment: string;
  readonly eventKey: string;
  readonly description?: string;
  readonly schemaFile?: string;
  readonly stream?: string;
  readonly searchKeys?: string[];
}

/** `postrider event-types put`, which reads the schema from a file. */
export function eventTypesCommand(act: Act): Command {
  const put = new Command('put')
    .requiredOption('--environment <id>', 'the environment, env_…')
    .requiredOption('--event-key <key>', 'the event')
    .description(
      'describe an event, or change its description, with or without a JSON Schema (2020-12) that its payload must fulfil',
    )
    .option('--description <text>', 'what it means')
    .option('--schema-file <path>', 'the JSON Schema; - is stdin')
    .option('--stream <name>', 'the stream from which recipients can unsubscribe; transactional by default')
    .option('--search-keys <pointers...>', 'JSON Pointers to business ids in the payload, such as /order_id')
    .action(
      act(async (session, { environment, eventKey, description, schemaFile, ...options }: PutOptions) => {
        const schema = schemaFile === undefined ? undefined : await readJsonObject(session.io, schemaFile);
        const { stream, searchKeys: search_keys } = options;
        const body = given({ description, payload_schema: schema, stream, search_keys });
        session.show(await session.admin().eventTypes.put(environment, eventKey, body, session.call), record);
      }),
    );
  examples(put, {
    'postrider event-types put --environment env_01… --event-key order.shipped --schema-file shipped.json':
      'From now on, events with an invalid payload are refused.',
  });
  return new Command('event-types').description('descriptions and payload schemas of events').addCommand(put);
}
