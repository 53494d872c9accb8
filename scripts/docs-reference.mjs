/**
 * Writes the reference of the HTTP interface from the OpenAPI document: a page for each tag, with the objects that it is the
 * first to use.
 */

const cell = (text) => String(text).replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
const row = (...cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (names, rows) =>
  rows.length === 0 ? [] : [row(...names), row(...names.map(() => '---')), ...rows, ''];
const fence = (language, text) => [`\`\`\`${language}`, text, '```', ''];
const json = (value) => fence('json', JSON.stringify(value, null, 2));
const first = (examples) => Object.values(examples ?? {})[0]?.value;
const exampleOf = (content) => content?.example ?? first(content?.examples);
const nameOf = ({ $ref }) => $ref?.split('/').at(-1);

export const slugOf = (tag) => tag.toLowerCase().replaceAll(' ', '-');

/** Returns the Markdown of each page by its name. */
export function referencePages(document) {
  const { schemas } = document.components;
  const follow = (value) =>
    value?.$ref ? document.components[value.$ref.split('/')[2]][nameOf(value)] : value;
  const isObject = (schema) => schema?.properties !== undefined;
  /** The page that describes an object, by the name of its schema. */
  const pageOfObject = new Map();

  /** The type of a value in words, with links to objects, and a note of the objects that it names. */
  function typeOf(schema, note) {
    if (!schema || Object.keys(schema).length === 0) return 'any JSON';
    const name = nameOf(schema);
    const target = follow(schema);
    if (name && (isObject(target) || target.oneOf || target.anyOf)) {
      note(name);
      return `[${name}](/reference/${pageOfObject.get(name)}.md#${name.toLowerCase()})`;
    }
    if (name) return typeOf(target, note);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return [...new Set(choices.map((each) => typeOf(each, note)))].join(' or ');
    if (schema.allOf) return schema.allOf.map((each) => typeOf(each, note)).join(' with ');
    if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
    if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
    const types = [schema.type ?? 'any JSON'].flat();
    return types
      .map((type) => (type === 'array' ? `list of ${typeOf(schema.items, note)}` : type))
      .join(' or ');
  }

  const boundsOf = (schema) =>
    [
      schema.format,
      schema.minLength !== undefined && `at least ${schema.minLength} characters`,
      schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
      schema.minItems !== undefined && `at least ${schema.minItems}`,
      schema.maxItems !== undefined && `at most ${schema.maxItems}`,
      schema.minimum !== undefined && `from ${schema.minimum}`,
      schema.maximum !== undefined && `up to ${schema.maximum}`,
      schema.default !== undefined && `default \`${JSON.stringify(schema.default)}\``,
    ].filter(Boolean);
  const inBrackets = (bounds) => (bounds.length === 0 ? '' : `(${bounds.join(', ')})`);

  const meaningOf = (schema) => {
    const target = follow(schema) ?? {};
    return [schema.description ?? target.description, inBrackets(boundsOf({ ...target, ...schema }))]
      .filter(Boolean)
      .join(' ');
  };

  /** The fields of an object and of the objects within it that have no name. */
  function fieldsOf(schema, note, prefix = '') {
    const parts = [schema, ...(schema.allOf ?? []).map(follow)];
    return parts.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).flatMap(([name, value]) => {
        const path = `${prefix}${name}`;
        const inner = isObject(value) ? fieldsOf(value, note, `${path}.`) : [];
        const needed = required.includes(name) ? '' : ' (optional)';
        return [row(`\`${path}\`${needed}`, typeOf(value, note), meaningOf(value)), ...inner];
      }),
    );
  }

  function curlOf(method, path, operation, parameters) {
    const admin = path.startsWith('/admin/');
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
      const parameter = parameters.find((each) => each.name === name);
      return parameter?.example ?? parameter?.schema?.examples?.[0] ?? `{${name}}`;
    });
    const body = exampleOf(operation.requestBody?.content?.['application/json']);
    const isKeyed = parameters.some(({ name, required }) => name === 'Idempotency-Key' && required);
    const lines = [
      `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$POSTRIDER_URL${url}"`,
      ...(operation.security?.length === 0
        ? []
        : [`-H "Authorization: Bearer $${admin ? 'ADMIN_TOKEN' : 'POSTRIDER_TOKEN'}"`]),
      ...(isKeyed ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
      ...(body === undefined
        ? []
        : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
    ];
    return fence('bash', lines.join(' \\\n  '));
  }

  function describeOperation(method, path, operation, shared, note) {
    const parameters = [...shared, ...(operation.parameters ?? [])].map(follow);
    const content = operation.requestBody?.content ?? {};
    const scopes = [...new Set((operation.security ?? []).flatMap((each) => Object.values(each).flat()))];
    const bodies = Object.entries(content).map(
      ([type, { schema }]) => `${typeOf(schema, note)} (\`${type}\`)`,
    );
    const answers = Object.entries(operation.responses ?? {}).map(([status, value]) => {
      const { description = '', content: types = {} } = follow(value);
      const isError = Number(status) >= 400;
      const body = isError ? [] : Object.values(types).map(({ schema }) => typeOf(schema, note));
      return row(status, [description, ...body].join(' '));
    });
    const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'));
    const example = exampleOf(follow(success?.[1])?.content?.['application/json']);
    return [
      `## ${operation.summary ?? path}`,
      '',
      ...fence('http', `${method.toUpperCase()} ${path}`),
      operation.description ?? '',
      '',
      ...(scopes.length === 0 ? [] : [`Scope: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`, '']),
      ...table(
        ['Parameter', 'Type', 'Meaning'],
        parameters.map((each) =>
          row(
            `\`${each.name}\` (${each.in}${each.required ? '' : ', optional'})`,
            typeOf(each.schema, note),
            [each.description, inBrackets(boundsOf(follow(each.schema) ?? {}))].filter(Boolean).join(' '),
          ),
        ),
      ),
      ...(bodies.length === 0 ? [] : [`Body: ${bodies.join(' or ')}`, '']),
      ...curlOf(method, path, operation, parameters),
      ...table(['Answer', 'Meaning'], answers),
      ...(example === undefined ? [] : json(example)),
    ];
  }

  function describeObject(name, note) {
    const schema = schemas[name];
    const choices = schema.oneOf ?? schema.anyOf;
    return [
      `### ${name}`,
      '',
      schema.description ?? '',
      '',
      ...(choices ? [`One of: ${choices.map((each) => typeOf(each, note)).join(' or ')}`, ''] : []),
      ...table(['Field', 'Type', 'Meaning'], fieldsOf(schema, note)),
    ];
  }

  function pageOf({ name: tag, description }, operations) {
    const slug = slugOf(tag);
    const objects = [];
    const note = (name) => {
      if (pageOfObject.has(name)) return;
      pageOfObject.set(name, slug);
      objects.push(name);
    };
    const described = operations.flatMap(([method, path, operation, shared]) =>
      describeOperation(method, path, operation, shared, note),
    );
    const objectLines = [];
    // The list grows while its objects name others.
    for (let index = 0; index < objects.length; index += 1)
      objectLines.push(...describeObject(objects[index], note));
    const heading = objects.length === 0 ? [] : ['## Objects', ''];
    return [`# ${tag}`, '', description ?? '', '', ...described, ...heading, ...objectLines].join('\n');
  }

  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  const operations = [...Object.entries(document.paths), ...Object.entries(document.webhooks ?? {})].flatMap(
    ([path, item]) =>
      methods
        .filter((method) => item[method])
        .map((method) => [method, path, item[method], item.parameters ?? []]),
  );
  const pages = document.tags.map((tag) => [
    slugOf(tag.name),
    pageOf(
      tag,
      operations.filter(([, , { tags }]) => tags?.[0] === tag.name),
    ),
  ]);
  const list = document.tags.map(
    (tag) => `- [${tag.name}](/reference/${slugOf(tag.name)}.md): ${tag.description}`,
  );
  return Object.fromEntries([
    ...pages,
    [
      'index',
      ['# HTTP interface', '', document.info.description, '', '## Resources', '', ...list, ''].join('\n'),
    ],
  ]);
}
