import { readFile } from 'node:fs/promises';
import { createTemplateVersion } from '@postrider/db';
import { checkEmailTemplate, checkJsonTemplate, formatId, type TemplateFault } from '@postrider/domain';
import { Command } from 'commander';
import { eventKey, id, readJsonFile } from '../arguments.ts';
import { withContext } from '../context.ts';
import { UsageError } from '../usage-error.ts';

function refuseFaults(faults: readonly TemplateFault[]): void {
  if (faults.length === 0) return;
  throw new UsageError(
    faults.map(({ path, message, line, column }) => {
      const place = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
      return `template ${path}: ${message}${place}`;
    }),
  );
}

const read = async (path: string | undefined) => (path === undefined ? null : readFile(path, 'utf8'));

/** The options that every kind of template has. */
function templateCommand(name: string): Command {
  return new Command(name)
    .requiredOption('--environment <id>', 'the environment, env_…', id('env'))
    .requiredOption('--event-key <key>', 'the event it is for', eventKey)
    .option('--no-activate', 'keep the version that is active now');
}

/** `postrider templates`: what is sent for an event. */
export function templatesCommand(): Command {
  const mail = templateCommand('create-email')
    .description('add a version of an e-mail template (Liquid) and make it the active one')
    .requiredOption('--subject <template>', 'the subject')
    .option('--html-file <path>', 'the HTML part')
    .option('--text-file <path>', 'the text part; derived from the HTML when left out')
    .action((options) =>
      withContext(async (context) => {
        const content = {
          subject: options.subject as string,
          html: await read(options.htmlFile),
          text: await read(options.textFile),
        };
        refuseFaults(checkEmailTemplate(content));
        const created = await createTemplateVersion(context, {
          channelKind: 'email',
          environmentId: options.environment,
          eventKey: options.eventKey,
          activate: options.activate,
          ...content,
        });
        return { id: formatId('tpl', created.id), version: created.version };
      }),
    );
  const webhook = templateCommand('create-webhook')
    .description('add a version of a webhook body: a JSON document whose strings are templates (Liquid)')
    .requiredOption('--body-file <path>', 'the JSON document')
    .action((options) =>
      withContext(async (context) => {
        const body = await readJsonFile(options.bodyFile);
        refuseFaults(checkJsonTemplate(body));
        const created = await createTemplateVersion(context, {
          channelKind: 'webhook',
          environmentId: options.environment,
          eventKey: options.eventKey,
          activate: options.activate,
          body,
        });
        return { id: formatId('tpl', created.id), version: created.version };
      }),
    );
  return new Command('templates')
    .description('what is sent for an event')
    .addCommand(mail)
    .addCommand(webhook);
}
