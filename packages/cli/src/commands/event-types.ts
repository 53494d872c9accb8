import type { SessionCommand } from '../command.ts';
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
export function addEventTypes(program: SessionCommand): void {
  program
    .add('event-types', 'descriptions and payload schemas of events')
    .add(
      'put',
      'describe an event, or change its description, with or without a JSON Schema (2020-12) that its payload must fulfil',
    )
    .needsEnvironment()
    .requiredOption('--event-key <key>', 'the event')
    .option('--description <text>', 'what it means')
    .option('--schema-file <path>', 'the JSON Schema; - is stdin')
    .option('--stream <name>', 'the stream from which recipients can unsubscribe; transactional by default')
    .option('--search-keys <pointers...>', 'JSON Pointers to business ids in the payload, such as /order_id')
    .examples({
      'postrider event-types put --environment env_01… --event-key order.shipped --schema-file shipped.json':
        'From now on, events with an invalid payload are refused.',
    })
    .runs(async (session, { environment, eventKey, description, schemaFile, ...options }: PutOptions) => {
      const schema = schemaFile === undefined ? undefined : await readJsonObject(session.io, schemaFile);
      const { stream, searchKeys: search_keys } = options;
      const body = given({ description, payload_schema: schema, stream, search_keys });
      session.show(await session.admin().eventTypes.put(environment, eventKey, body, session.call), record);
    });
}
