import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import type { TemplateInput } from '@postrider/client';
import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { Unsuccessful } from '../exit-codes.ts';
import { fieldsOf, withOptionsOf } from '../kind-commands.ts';
import { changedTemplate, templatePreview } from '../output/template.ts';
import { given, type JsonObject, jsonObject, payloadFileOption, readJsonObject } from '../values.ts';

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
  return examples(command, Object.fromEntries(ofKind.examples));
}

function previewCommand(act: Act): Command {
  const command = new Command('preview')
    .description('render a version without sending it, and list missing variables')
    .argument('<template>', 'the version, tpl_…')
    .option('--payload <json>', 'the payload of the event', jsonObject)
    .addOption(payloadFileOption())
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
  return examples(command, {
    'postrider templates preview tpl_01… --payload \'{"order_id":"A-1"}\'': 'What would be sent?',
  });
}

/** The commands of `postrider templates` with options of the kinds, and the preview. */
export function templatesCommand(act: Act, kinds: ChannelRegistry): Command {
  const templates = new Command('templates').description('templates of deliveries');
  for (const kind of kinds.kinds) templates.addCommand(createCommand(act, kinds.get(kind)));
  return templates.addCommand(previewCommand(act));
}
