import type { CommandIo, CommandOption, CreateCommand, OptionValues } from '@postrider/channels';
import { InvalidArgumentError, Option } from 'commander';
import { UsageError } from './exit-codes.ts';
import { type Io, readStdin } from './io.ts';
import { type JsonObject, readJsonObject, readText } from './values.ts';

function optionOf({ flags, description, choices, isRequired = false, parse }: CommandOption): Option {
  const option = new Option(flags, description).makeOptionMandatory(isRequired);
  if (choices) option.choices(choices);
  if (parse) {
    option.argParser((text, before) => {
      try {
        return parse(text, before);
      } catch (error) {
        throw new InvalidArgumentError((error as Error).message);
      }
    });
  }
  return option;
}

/** The options of channel kinds. One that several kinds have is there once. */
export function optionsOf(ofKinds: readonly CreateCommand[]): Option[] {
  const options = new Map(ofKinds.flatMap((kind) => kind.options).map((option) => [option.flags, option]));
  return [...options.values()].map(optionOf);
}

/** The input of a kind's commands, from this process. */
function commandIo(io: Io): CommandIo {
  return {
    async readSecret(source, variable) {
      const secret = source === 'env' ? io.env[variable] : (await readStdin(io)).replace(/\r?\n$/, '');
      if (!secret) throw new UsageError(source === 'env' ? `${variable} is not set.` : 'No secret on stdin.');
      return secret;
    },
    readText: (path) => readText(io, path),
    readJson: (path) => readJsonObject(io, path),
  };
}

/** The request fields from the options of these kinds. */
export async function fieldsOf(
  io: Io,
  ofKinds: readonly CreateCommand[],
  options: OptionValues,
): Promise<JsonObject> {
  const fields: JsonObject = {};
  for (const kind of ofKinds) Object.assign(fields, await kind.fieldsOf(options, commandIo(io)));
  return fields;
}
