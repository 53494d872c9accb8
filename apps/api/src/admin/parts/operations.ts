import { type ChangedPart, createPartVersion, listParts, readPart, switchPart } from '@postrider/db';
import {
  canonicalLocale,
  type JsonObject,
  partNameField,
  presentPart,
  presentPartVersion,
  presentTemplateSummary,
} from '@postrider/domain';
import type { NewPart } from '@postrider/rendering';
import { described, textThat } from '../../paging/query.ts';
import { compileBody } from '../../validation/body.ts';
import type { AdminResource } from '../operation.ts';
import { SUMMARY_EXAMPLE } from '../templates/operations.ts';
import { checkedOf } from '../templates/preview.ts';
import { ACTIVE_FILTER, versionOperationsOf } from '../versions.ts';
import { ABOUT_NAMES, PART_DESCRIPTIONS, type PartBody, type PartDescription } from './schema.ts';

function toNewPart({ type }: PartDescription, body: PartBody): { name: string; part: NewPart } {
  if ('messages' in body) {
    const { locale, messages } = body;
    return { name: canonicalLocale(locale) ?? locale, part: { type: 'translation', messages } };
  }
  return { name: body.name, part: { type: type as 'layout' | 'partial', content: body.content } };
}

const present = ({ part, templates, warnings }: ChangedPart) => ({
  ...presentPart(part),
  templates: templates.map(presentTemplateSummary),
  warnings,
});

/** Layouts, partials and translations have the same operations and differ only in content. */
function partResource(description: PartDescription): AdminResource {
  const {
    type,
    plural,
    schemaName,
    parameter,
    nameSchema,
    body: bodySchema,
    schemas,
    about,
    example,
  } = description;
  const nameField = partNameField(type);
  const path = `/admin/v1/${plural}/{${parameter}}`;
  const versionExample = { version: 3, active: true, ...example.version };
  const { content: _content, messages: _messages, ...summaryExample } = versionExample as JsonObject;
  const versions = versionOperationsOf({
    name: schemaName,
    noun: type,
    all: `/admin/v1/environments/{environmentId}/${plural}`,
    one: path as string,
    of: { name: parameter, read: (db, id) => readPart(db, type, id) },
    present: presentPart,
    presentListed: presentPartVersion,
    example: versionExample,
    listedExample: summaryExample,
    changedExamples: {
      create: { templates: [{ ...SUMMARY_EXAMPLE, version: 4 }] },
      activate: { templates: [{ ...SUMMARY_EXAMPLE, version: 4 }] },
      deactivate: { templates: [] },
    },
    errors: ['conflict'],
    change: async (change, deps) => present(await switchPart(deps, { type, ...change })),
    about: {
      activate:
        'All active templates that use it get a new active version, or none does; events accepted from now on ' +
        '(within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. ' +
        'Warns of messages that are missing in a language; 409 `conflict` if a template could not be rendered.',
      deactivate:
        type === 'translation'
          ? 'All active templates that use it get a new active version without the language.'
          : 'New versions of templates can no longer use it; 409 `conflict` if an active template does.',
    },
  });

  const create = versions.create({
    description:
      `${about.create} Issues of its content have the code \`invalid_template\`. Activating it creates new active ` +
      'versions of all active templates that use it; 409 `conflict` if one of them could not be rendered.',
    body: {
      schema: bodySchema,
      validate: compileBody<PartBody>(bodySchema),
      examples: { [type]: { summary: `A ${type}, active at once`, value: example.body } },
    },
    run: async (request, deps) => {
      const { body, found: environment } = request;
      const { name, part } = toNewPart(description, body);
      const prepared = await deps.renderer.preparePart(part, {
        owner: environment.tenantId,
        part: environment.id,
      });
      const { content, mjml, references } = checkedOf(prepared);
      const activate = body.activate === true;
      const stored = await createPartVersion(deps, {
        environmentId: environment.id,
        type,
        name,
        content,
        mjml,
        references,
        activate,
      });
      return present(stored);
    },
  });

  const NAME = new RegExp(nameSchema.pattern);
  const filters = {
    [nameField]: described(
      `Only versions with this ${nameField}.`,
      textThat((text) => NAME.test(text), ABOUT_NAMES[type]),
      nameSchema,
    ),
    active: ACTIVE_FILTER,
  };
  const list = versions.list(filters, (db, { parent, filter, after, limit }) => {
    const { [nameField]: name, active } = filter as { name?: string; locale?: string; active?: boolean };
    return listParts(db, { environmentId: parent.id, type, filter: { name, active }, after, limit });
  });

  return {
    tag: { name: `${schemaName}s`, description: about.tag },
    schemas,
    operations: [create, list, versions.get, versions.activate, versions.deactivate],
  };
}

/** Layouts, partials and translations (docs/specification.md, "Layouts, partials and translations"). */
export const PART_RESOURCES: readonly AdminResource[] = PART_DESCRIPTIONS.map(partResource);
