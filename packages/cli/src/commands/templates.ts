import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import type { TemplateInput } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { Unsuccessful } from '../exit-codes.ts';
import { fieldsOf, optionsOf } from '../kind-commands.ts';
import { changedVersion, templatePreview } from '../output/template.ts';
import type { Session } from '../session.ts';
import { given, type JsonObject, jsonObject, payloadFileOption, readJsonObject } from '../values.ts';

interface NewTemplate {
  readonly environment: string;
  readonly eventKey: string;
  readonly activate: boolean;
}

function addCreate(
  group: SessionCommand,
  { kind, template: { command: ofKind } }: ChannelKindDefinition,
): void {
  group
    .add(`create-${kind}`, ofKind.description)
    .needsEnvironment()
    .requiredOption('--event-key <key>', 'the event key that it is for')
    .option('--no-activate', 'do not activate it')
    .addOptions(optionsOf([ofKind]))
    .examples(Object.fromEntries(ofKind.examples))
    .runs(async (session, { environment, eventKey, activate, ...options }: NewTemplate) => {
      const content = await fieldsOf(session.io, [ofKind], options);
      // The service checks the content.
      const body = {
        event_key: eventKey,
        channel_kind: kind,
        ...content,
        activate,
      } as unknown as TemplateInput;
      session.show(await session.admin().templates.create(environment, body, session.call), changedVersion);
    });
}

interface PreviewOptions {
  readonly payload?: JsonObject;
  readonly payloadFile?: string;
  readonly recipient?: JsonObject;
  readonly locale?: string;
  readonly part?: string[];
}

async function preview(session: Session, id: string, options: PreviewOptions): Promise<void> {
  const { payloadFile, recipient, locale, part: parts } = options;
  const payload = payloadFile ? await readJsonObject(session.io, payloadFile) : options.payload;
  const body = given({ payload, recipient, locale, parts });
  const shown = await session.admin().templates.preview(id, body, session.call);
  session.show(shown, templatePreview);
  if (!shown.deliverable) throw new Unsuccessful('The template cannot be sent for this event.');
}

/** The commands of `postrider templates` with options of the kinds, and the preview. */
export function addTemplates(program: SessionCommand, kinds: ChannelRegistry): void {
  const group = program.add('templates', 'templates of deliveries');
  for (const kind of kinds.kinds) addCreate(group, kinds.get(kind));
  group
    .add('preview', 'render a version without sending it, and list missing variables')
    .argument('<template>', 'the version, tpl_…')
    .option('--payload <json>', 'the payload of the event', jsonObject)
    .addOption(payloadFileOption())
    .option('--recipient <json>', 'the recipient of the event', jsonObject)
    .option('--locale <locale>', 'in this language, such as fr-CA')
    .option('--part <id...>', 'use these versions of parts, lay_…, prt_… or trn_…, active or not')
    .examples({
      'postrider templates preview tpl_01… --payload \'{"order_id":"A-1"}\'': 'What would be sent?',
    })
    .runs(preview);
}
