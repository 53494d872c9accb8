/**
 * Answers to a request that keeps to the schemas, besides those that schemathesis expects. 400: a text holds NUL,
 * which PostgreSQL cannot store and no schema rules out. 402: it lowers the
 * quota of a plan or changes a tenant's billing before it sends an event. 413: it lowers the plan's payload
 * limit. 422: rules that no schema can state, such as a channel that must exist in the environment.
 */
const VALID_AND_REFUSED = [400, 402, 413, 422];
/** 5xx has a check of its own. */
const EXPECTED_OF_VALID = ['2xx', '3xx', 401, 403, 404, 409, 429, '5xx', ...VALID_AND_REFUSED];
/** The same stages refuse a request before its fields are read. */
const EXPECTED_OF_INVALID = [400, 401, 402, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, '5xx'];

const list = (statuses: readonly (string | number)[]) =>
  `[${statuses.map((status) => `"${status}"`).join(', ')}]`;

/**
 * The configuration of schemathesis: which token goes with which security scheme of the document, and what
 * counts as a fitting answer. The file holds secrets of an installation that lives as long as the run.
 */
export function configFor({ token, adminToken }: { token: string; adminToken: string }): string {
  return `
[auth.openapi.environmentToken]
bearer = "${token}"

[auth.openapi.adminToken]
bearer = "${adminToken}"

[checks.positive_data_acceptance]
expected-statuses = ${list(EXPECTED_OF_VALID)}

[checks.negative_data_rejection]
expected-statuses = ${list(EXPECTED_OF_INVALID)}
`;
}
