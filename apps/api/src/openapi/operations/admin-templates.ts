import { CHANNEL_KINDS } from '@postrider/domain';
import { PREVIEW_BODY_SCHEMA, TEMPLATE_BODY_SCHEMA } from '../../admin/templates/schema.ts';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc, Parameter } from '../operation-doc.ts';
import { ENVIRONMENT_ID, filter, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';
import { id } from '../schemas/common.ts';

const EXAMPLE_ID = 'tpl_01k9w2mz6ff8ft0c0v5n1r7d3q';

const TEMPLATE_ID: Parameter = {
  name: 'templateId',
  in: 'path',
  required: true,
  description: 'The `id` of a version of a template.',
  schema: id('tpl', 'A version.'),
  example: EXAMPLE_ID,
};

const SUMMARY_EXAMPLE = {
  id: EXAMPLE_ID,
  environment_id: EXAMPLE_IDS.environment,
  event_key: 'order.shipped',
  channel_kind: 'email',
  version: 3,
  active: true,
  created_at: '2026-11-21T09:00:00.000Z',
};

const HTML = '<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>';
const SUBJECT = 'Order {{ payload.order_id }} has been shipped';

const TEMPLATE_EXAMPLE = {
  ...SUMMARY_EXAMPLE,
  subject: SUBJECT,
  html: HTML,
  text: null,
  mjml: null,
  body: null,
};

const TEXT_DERIVED = {
  code: 'text_derived',
  path: '/text',
  message: 'is derived from the HTML, because there is none',
};

const MJML =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{ recipient.name }}</mj-text></mj-column>' +
  '</mj-section></mj-body></mjml>';

export const CREATE_TEMPLATE: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/environments/{environmentId}/templates',
  operationId: 'createTemplate',
  tag: 'Templates',
  summary: 'Add a version of a template',
  description:
    'Templates are Liquid, without `include`, `render`, `layout`, `block` and `raw`. They see `event_key`, ' +
    '`recipient`, `payload`, `message_id`, `delivery_run_id` and `timestamp`; a variable that is missing ' +
    'makes the delivery fail, so write `{{ payload.note | default: "" }}` for what may be missing. A ' +
    'version never changes: a new text is a new version. Faults of a template have the code ' +
    '`invalid_template`, with `line` and `column` where they are known.',
  bodyUse: 'required',
  parameters: [ENVIRONMENT_ID],
  body: {
    schema: TEMPLATE_BODY_SCHEMA,
    examples: {
      html: {
        summary: 'An email in HTML, active at once',
        value: {
          event_key: 'order.shipped',
          channel_kind: 'email',
          subject: SUBJECT,
          html: HTML,
          activate: true,
        },
      },
      mjml: {
        summary: 'An email in MJML',
        value: { event_key: 'order.shipped', channel_kind: 'email', subject: SUBJECT, html: MJML },
      },
      webhook: {
        summary: 'A webhook',
        value: {
          event_key: 'order.shipped',
          channel_kind: 'webhook',
          body: { text: 'Order {{ payload.order_id }} has been shipped', tags: ['order', '{{ event_key }}'] },
          activate: true,
        },
      },
    },
  },
  success: {
    status: 201,
    schema: ref('ChangedTemplate'),
    example: { ...TEMPLATE_EXAMPLE, warnings: [TEXT_DERIVED] },
  },
  errors: ['environment_not_found'],
};

export const LIST_TEMPLATES: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/templates',
  operationId: 'listTemplates',
  tag: 'Templates',
  summary: 'List versions of templates',
  description: 'Newest first, without their contents. Filters are combined with “and”.',
  bodyUse: 'ignored',
  parameters: [
    ENVIRONMENT_ID,
    ...PAGING,
    filter('event_key', 'For this event.', EVENT_BODY_SCHEMA.properties.event_key),
    filter('channel_kind', 'For this kind of channel.', { type: 'string', enum: [...CHANNEL_KINDS] }),
    filter('active', 'That are active, or are not.', { type: 'boolean' }),
  ],
  success: {
    status: 200,
    schema: ref('TemplateList'),
    example: { data: [SUMMARY_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['environment_not_found', 'validation_failed'],
};

export const GET_TEMPLATE: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/templates/{templateId}',
  operationId: 'getTemplate',
  tag: 'Templates',
  summary: 'Read a version of a template',
  description: 'With its content.',
  bodyUse: 'ignored',
  parameters: [TEMPLATE_ID],
  success: { status: 200, schema: ref('Template'), example: TEMPLATE_EXAMPLE },
  errors: ['template_not_found'],
};

export const ACTIVATE_TEMPLATE: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/templates/{templateId}/activate',
  operationId: 'activateTemplate',
  tag: 'Templates',
  summary: 'Activate a version of a template',
  description:
    'Events that are accepted from now on, within 5 seconds, are delivered with this version; an older one ' +
    'is rolled back to in the same way. The version that was active is not any more. Runs keep the version ' +
    'they have.',
  bodyUse: 'ignored',
  parameters: [TEMPLATE_ID],
  success: {
    status: 200,
    schema: ref('ChangedTemplate'),
    example: { ...TEMPLATE_EXAMPLE, warnings: [] },
  },
  errors: ['template_not_found'],
};

export const DEACTIVATE_TEMPLATE: AdminOperationDoc = {
  ...ACTIVATE_TEMPLATE,
  path: '/admin/v1/templates/{templateId}/deactivate',
  operationId: 'deactivateTemplate',
  summary: 'Deactivate a version of a template',
  description:
    'Afterwards no version is active, if it was this one. A webhook then sends the default body; an event ' +
    'that an email channel takes is refused (422 `template_not_found`), of which a warning tells.',
  success: {
    status: 200,
    schema: ref('ChangedTemplate'),
    example: {
      ...TEMPLATE_EXAMPLE,
      active: false,
      warnings: [
        {
          code: 'template_required',
          path: '/event_key',
          message:
            'an enabled email channel takes order.shipped: its events are refused until a version is active',
        },
      ],
    },
  },
};

export const PREVIEW_TEMPLATE: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/templates/{templateId}/preview',
  operationId: 'previewTemplate',
  tag: 'Templates',
  summary: 'Preview a version of a template',
  description:
    'Renders what a delivery would send, within the same limits, and stores and sends nothing. Names every ' +
    'variable that is missing, and warns of what a receiver would stumble over. The body may be left out.',
  bodyUse: 'optional',
  parameters: [TEMPLATE_ID],
  body: {
    schema: PREVIEW_BODY_SCHEMA,
    examples: {
      payload: { summary: 'With a payload', value: { payload: { order_id: 'A-1042' } } },
      empty: { summary: 'To see what is missing', value: {} },
    },
  },
  success: {
    status: 200,
    schema: ref('TemplatePreview'),
    example: {
      template_id: EXAMPLE_ID,
      deliverable: true,
      rendered: {
        subject: 'Order A-1042 has been shipped',
        html: '<p>Hello Ada Lovelace, order A-1042 is on its way.</p>',
        text: 'Hello Ada Lovelace, order A-1042 is on its way.',
      },
      missing_variables: [],
      errors: [],
      warnings: [TEXT_DERIVED],
    },
  },
  errors: ['template_not_found'],
};
