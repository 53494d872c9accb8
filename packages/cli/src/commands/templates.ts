import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import type { TemplateInput, TemplateSummary } from '@postrider/client';
import { Command, Option } from 'commander';
import { type Act, examples } from '../action.ts';
import { Unsuccessful } from '../exit-codes.ts';
import { fieldsOf, withOptionsOf } from '../kind-commands.ts';
import { type ListOptions, listOptions, showList } from '../lists.ts';
import { changedTemplate, templateContent, templatePreview } from '../output/template.ts';
import { getCommand } from '../standard-commands.ts';
import { given, type JsonObject, jsonObject, readJsonObject } from '../values.ts';

const COLUMNS = ['id', 'event_key', 'channel_kind', 'version', 'active', 'created_at'];

interface Filters extends ListOptions {
  readonly environment: string;
  readonly eventKey?: string;
  readonly channelKind?: TemplateSummary['channel_kind'];
  readonly active?: true;
  readonly part?: string;
}

interface NewTemplate {
  readonly environment: string;
  readonly eventKey: string;
  readonly activate: boolean;
}

function newTemplate(name: string): Command {
  return new Command(name)
    .requiredOption('--environment <id>', 'the environment, env_…')
    .requiredOption('--event-key <key>', 'the event key that it is for')
    .option('--no-activate', 'do not activate it');
}

function createCommand(act: Act, { kind, template: { command: ofKind } }: ChannelKindDefinition): Command {
  const command = withOptionsOf(newTemplate(`create-${kind}`), [ofKind])
    .description(ofKind.description)
    .action(
      act(async (session, { environment, eventKey, activate, ...options }: NewTemplate) => {
        const content = await fieldsOf(session.io, [ofKind], options);
        // The service checks the content.
        const body = {
          event_key: eventKey,
          channel_kind: kind,
          ...content,
          activate,
        } as unknown as TemplateInput;
        session.show(
          await session.admin().templates.create(environment, body, session.call),
          changedTemplate,
        );
      }),
    );
  return examples(command, ...ofKind.examples);
}

function switchCommand(act: Act, name: 'activate' | 'deactivate', description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<template>', 'the version, tpl_…')
    .action(
      act(async (session, id: string) => {
        session.show(await session.admin().templates[name](id, session.call), changedTemplate);
      }),
    );
}

function previewCommand(act: Act): Command {
  const command = new Command('preview')
    .description('render a version without sending it, and list missing variables')
    .argument('<template>', 'the version, tpl_…')
    .option('--payload <json>', 'the payload of the event', jsonObject)
    .option('--payload-file <path>', 'the payload from a file; - is stdin')
    .option('--recipient <json>', 'the recipient of the event', jsonObject)
    .option('--locale <locale>', 'in this language, such as fr-CA')
    .option('--part <id...>', 'use these versions of parts, lay_…, prt_… or trn_…, active or not')
    .action(
      act(
        async (
          session,
          id: string,
          options: {
            payload?: JsonObject;
            payloadFile?: string;
            recipient?: JsonObject;
            locale?: string;
            part?: string[];
          },
        ) => {
          const { payloadFile, recipient, locale, part: parts } = options;
          const payload = payloadFile ? await readJsonObject(session.io, payloadFile) : options.payload;
          const body = given({ payload, recipient, locale, parts });
          const preview = await session.admin().templates.preview(id, body, session.call);
          session.show(preview, templatePreview);
          if (!preview.deliverable) throw new Unsuccessful('The template cannot be sent for this event.');
        },
      ),
    );
  return examples(command, [
    'postrider templates preview tpl_01… --payload \'{"order_id":"A-1"}\'',
    'What would be sent?',
  ]);
}

/** `postrider templates`: the content that is sent for an event. */
export function templatesCommand(act: Act, kinds: ChannelRegistry): Command {
  const listAll = listOptions(new Command('list'))
    .description('the template versions of an environment, newest first')
    .requiredOption('--environment <id>', 'the environment, env_…')
    .option('--event-key <key>', 'for this event')
    .addOption(new Option('--channel-kind <kind>', 'for this kind of channel').choices(kinds.kinds))
    .option('--active', 'only active versions')
    .option('--part <part>', 'only those that use this part, such as layout:main')
    .action(
      act((session, { environment, eventKey, channelKind, active, part, ...paging }: Filters) => {
        const filters = given({ event_key: eventKey, channel_kind: channelKind, active, part });
        const source = session.admin().templates.of(environment);
        return showList(session, source, { columns: COLUMNS, filters, options: paging });
      }),
    );
  const get = getCommand(
    act,
    { description: 'one version, with its content', argument: '<template>', about: 'the version, tpl_…' },
    (session, id) => session.admin().templates.get(id, session.call),
    templateContent,
  );
  const templates = new Command('templates')
    .description('templates of deliveries')
    .addCommand(listAll)
    .addCommand(get);
  for (const kind of kinds.kinds) templates.addCommand(createCommand(act, kinds.get(kind)));
  return templates
    .addCommand(switchCommand(act, 'activate', 'use this version from now on; it can be an older one'))
    .addCommand(switchCommand(act, 'deactivate', 'use no version for this event key and kind from now on'))
    .addCommand(previewCommand(act));
}
