import { DETAIL_CODES, ERROR_CODES } from '@postrider/domain';
import { list, oneOf, record, type Schema, text } from '../schema.ts';

/** Contract section 2. `details` is the one field that an answer may leave out. */
export const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  ErrorDetail: {
    ...record('One fault of the request, or one fact about the refusal.', {
      path: text('A JSON Pointer into the body, or `/` and the name of a query parameter.'),
      code: oneOf(DETAIL_CODES, 'Stable; for programs.'),
      message: text('For people.'),
    }),
    additionalProperties: {
      type: ['string', 'integer', 'null'],
      description: 'Facts that belong to the code, such as `limit`, `used` and `resets_at` of a quota.',
    },
  },
  Error: record('Every answer that is not a success has this form.', {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: oneOf(
          ERROR_CODES,
          'Stable; for programs. The table of all codes stands at the top of this page.',
        ),
        message: text('For people. Its wording may change.'),
        request_id: text('Your X-Request-ID; `unknown` when you sent none, or one that is not acceptable.'),
        details: list(
          { $ref: '#/components/schemas/ErrorDetail' },
          'Given by 402 `quota_exceeded`, 409 `delivery_run_not_cancellable`, 409 `already_exists` and 422.',
        ),
      },
    },
  }),
};
