import type { EnvironmentRecord, ErrorCode, IdPrefix, JsonObject } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { MEMORY } from '../http/memory.ts';
import { creates, returns } from '../openapi/operation.ts';
import type { KnownPath, QueryParameters } from '../openapi/request.ts';
import * as json from '../openapi/schema.ts';
import { described, FLAG } from '../paging/query.ts';
import { ENVIRONMENT } from './environments.ts';
import {
  type AdminOperation,
  adminOperation,
  type CallDeps,
  type ListOperation,
  type Named,
} from './operation.ts';
import { standardOperationsOf } from './standard-operations.ts';

/** The filter of a list of versions. */
export const ACTIVE_FILTER = described(
  'Only active versions (`true`), or only inactive ones (`false`).',
  FLAG,
  { type: 'boolean' },
);

/** A resource whose content is in immutable versions, of which at most one of each name is active. */
interface Versioned<All extends string, One extends string, Row, Listed> {
  /** The name in schema and operation names, such as `Template`. */
  readonly name: string;
  /** The name in texts. */
  readonly noun: string;
  readonly all: KnownPath<All>;
  readonly one: KnownPath<One>;
  /** How paths identify a version. */
  readonly of: Named<Row>;
  readonly present: (row: Row) => JsonObject;
  readonly presentListed: (row: Listed) => JsonObject;
  readonly example: object;
  readonly listedExample: object;
  /** What the examples of the responses to changes have besides. */
  readonly changedExamples: Readonly<Record<'create' | 'activate' | 'deactivate', object>>;
  /** Codes of changes. */
  readonly errors?: readonly ErrorCode[];
  /** Activates or deactivates a version, and returns the response. */
  readonly change: (
    change: { readonly id: string; readonly active: boolean },
    deps: CallDeps,
  ) => Promise<object>;
  /** What the changes do. */
  readonly about: { readonly activate: string; readonly deactivate: string };
}

/** The operations of a resource with versions. `create` takes its description, its body and what it does. */
export function versionOperationsOf<
  const All extends string,
  const One extends string,
  Row extends object,
  Listed,
>(versioned: Versioned<All, One, Row, Listed>) {
  const { name, noun, all, one, of, present, presentListed, example, listedExample } = versioned;
  const { changedExamples, errors = [], change, about } = versioned;
  const scope = 'templates:write';
  const memory = MEMORY.resource;
  const standard = standardOperationsOf({
    name,
    label: `version of a ${noun}`,
    all,
    one,
    scopes: ['templates:read', scope],
    forTokens: true,
    parent: ENVIRONMENT,
    present,
    example,
    inList: { present: presentListed, example: listedExample },
  });

  const switchTo = (active: boolean): AdminOperation => {
    const verb = active ? 'activate' : 'deactivate';
    return adminOperation({
      method: 'post',
      path: `${one}/${verb}` as string,
      operationId: `${verb}${name}`,
      forTokens: 'stores more',
      scope,
      memory,
      summary: `${active ? 'Activate' : 'Deactivate'} a version of a ${noun}`,
      description: about[verb],
      success: returns(`Changed${name}`, { ...example, active, ...changedExamples[verb] }),
      errors,
      run: (request, deps) => change({ id: request.ids[of.name], active }, deps),
    });
  };

  const creation = {
    memory,
    summary: `Add a version of a ${noun}`,
    of: ENVIRONMENT,
    success: creates(`Changed${name}`, { ...example, ...changedExamples.create }),
    errors,
  };

  return {
    create: <Schema extends SchemaObject, Value, State>(
      own: Omit<
        Parameters<typeof standard.create<Schema, Value, EnvironmentRecord, State>>[0],
        keyof typeof creation
      >,
    ) => standard.create<Schema, Value, EnvironmentRecord, State>({ ...creation, ...own }),
    list: <Filters extends QueryParameters>(
      filters: Filters,
      read: ListOperation<All, Listed, EnvironmentRecord, Filters>['read'],
    ) =>
      standard.list({
        summary: `List versions of ${noun}s`,
        description: 'Newest first, without their contents. Filters are combined with “and”.',
        filters,
        read,
      }),
    get: standard.get({ memory, description: 'With its content.', of }),
    activate: switchTo(true),
    deactivate: switchTo(false),
  };
}

/** Warnings about a template. */
export const WARNINGS = json.list(json.ref('TemplateWarning'), 'Problems that were probably not intended.');

/** The response schemas of a resource with versions: one, one in a list, a list, and one after a change. */
export function versionSchemas({
  name,
  noun,
  prefix,
  named,
  about,
  contents,
  changed = {},
}: {
  readonly name: string;
  readonly noun: string;
  readonly prefix: IdPrefix;
  /** The fields that name what it is a version of. */
  readonly named: json.Schemas;
  readonly about: { readonly version: string; readonly active: string };
  /** The fields of its content. */
  readonly contents: json.Schemas;
  /** Further fields after a change. */
  readonly changed?: json.Schemas;
}): json.Schemas {
  const summary = {
    id: json.id(prefix, 'This version.'),
    environment_id: json.id('env', 'Its environment.'),
    ...named,
    version: json.ordinal(about.version),
    active: json.flag(about.active),
    created_at: json.time('When it was created.'),
  };
  const whole = { ...summary, ...contents };
  return {
    [`${name}Summary`]: json.record(`A version of a ${noun}, without its content.`, summary),
    [`${name}List`]: json.pageOf(`${name}Summary`, 'A page of versions, newest first.'),
    [name]: json.record(`A version of a ${noun}. Its content never changes.`, whole),
    [`Changed${name}`]: json.record('A version after a change.', {
      ...whole,
      ...changed,
      warnings: WARNINGS,
    }),
  };
}
