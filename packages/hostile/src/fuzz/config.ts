/**
 * The configuration of schemathesis: which token goes with which security scheme of the document. The file
 * holds secrets of an installation that lives as long as the run.
 */
export function configFor({ token, adminToken }: { token: string; adminToken: string }): string {
  return [
    '[auth.openapi.environmentToken]',
    `bearer = "${token}"`,
    '',
    '[auth.openapi.adminToken]',
    `bearer = "${adminToken}"`,
    '',
  ].join('\n');
}
