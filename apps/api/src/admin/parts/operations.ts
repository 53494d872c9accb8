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
import { MEMORY } from '../../http/memory.ts';
import { answers, creates } from '../../openapi/operation.ts';
import { described, FLAG, textThat } from '../../paging/query.ts';
import { compileBody } from '../../validation/body.ts';
import { ENVIRONMENT } from '../environments.ts';
import { type AdminResource, withoutBody } from '../operation.ts';
import { standardOperationsOf } from '../standard-operations.ts';
import { SUMMARY_EXAMPLE } from '../templates/operations.ts';
import { checkedOf } from '../templates/preview.ts';
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
  const changedExample = { ...versionExample, templates: [{ ...SUMMARY_EXAMPLE, version: 4 }] };
  const standard = standardOperationsOf({
    name: schemaName,
    label: `version of a ${type}`,
    all: `/admin/v1/environments/{environmentId}/${plural}`,
    one: path as string,
    scopes: ['templates:read', 'templates:write'],
    parent: ENVIRONMENT,
    present: presentPart,
    example: versionExample,
    inList: { present: presentPartVersion, example: summaryExample },
  });

  const create = standard.create({
    memory: MEMORY.resource,
    summary: `Add a version of a ${type}`,
    description:
      `${about.create} Issues of its content have the code \`invalid_template\`. Activating it creates new active ` +
      'versions of all active templates that use it; 409 `conflict` if one of them could not be rendered.',
    of: ENVIRONMENT,
    body: {
      schema: bodySchema,
      validate: compileBody<PartBody>(bodySchema),
      examples: { [type]: { summary: `A ${type}, active at once`, value: example.body } },
    },
    success: creates(`Changed${schemaName}`, changedExample),
    errors: ['conflict'],
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
  const list = standard.list({
    summary: `List versions of ${plural}`,
    description: 'Newest first, without their contents. Filters are combined with “and”.',
    filters: {
      [nameField]: described(
        `With this ${nameField}.`,
        textThat((text) => NAME.test(text), ABOUT_NAMES[type]),
        nameSchema,
      ),
      active: described('That are active, or are not.', FLAG, { type: 'boolean' }),
    },
    read: (db, { parent, filter, after, limit }) => {
      const { [nameField]: name, active } = filter as { name?: string; locale?: string; active?: boolean };
      return listParts(db, { environmentId: parent.id, type, filter: { name, active }, after, limit });
    },
  });

  const get = standard.get({
    memory: MEMORY.resource,
    description: 'With its content.',
    of: { name: parameter, read: (db, id) => readPart(db, type, id) },
  });

  const switchTo = (active: boolean, texts: { readonly summary: string; readonly description: string }) =>
    withoutBody({
      method: 'post',
      path: `${path}/${active ? 'activate' : 'deactivate'}` as string,
      operationId: `${active ? 'activate' : 'deactivate'}${schemaName}`,
      scope: 'templates:write',
      memory: MEMORY.resource,
      ...texts,
      success: answers(`Changed${schemaName}`, {
        ...changedExample,
        active,
        ...(active ? {} : { templates: [] }),
      }),
      errors: ['conflict'],
      run: async (request, deps) =>
        present(await switchPart(deps, { type, id: request.ids[parameter], active })),
    });

  const activate = switchTo(true, {
    summary: `Activate a version of a ${type}`,
    description:
      'All active templates that use it get a new active version, or none does; events accepted ' +
      'from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier ' +
      'messages keep their version. Warns of messages that a language lacks; 409 `conflict` if a ' +
      'template could not be rendered.',
  });

  const deactivate = switchTo(false, {
    summary: `Deactivate a version of a ${type}`,
    description:
      type === 'translation'
        ? 'All active templates that use it get a new active version without the language.'
        : 'New versions of templates can no longer use it; 409 `conflict` if an active template does.',
  });

  return {
    tag: { name: `${schemaName}s`, description: about.tag },
    schemas,
    operations: [create, list, get, activate, deactivate],
  };
}

/** Layouts, partials and translations (docs/specification.md, "Layouts, partials and translations"). */
export const PART_RESOURCES: readonly AdminResource[] = PART_DESCRIPTIONS.map(partResource);
