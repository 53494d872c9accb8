import type { OwnedTable } from '@postrider/db';

/**
 * How each parameter of a path says whether it is within a caller's bounds: a tenant, an environment, a row of a table
 * that belongs to an environment, a name within the environment of the same path, or something of the whole installation.
 */
export const PATH_OWNERS = {
  tenantId: 'tenant',
  environmentId: 'environments',
  tokenId: 'tokens',
  channelId: 'channels',
  templateId: 'template_versions',
  layoutId: 'template_parts',
  partialId: 'template_parts',
  translationId: 'template_parts',
  replayId: 'replay_batches',
  erasureId: 'erasures',
  suppressionId: 'suppressions',
  messageId: 'environment of the path',
  deliveryRunId: 'environment of the path',
  eventKey: 'environment of the path',
  consumer: 'environment of the path',
  stream: 'environment of the path',
  code: 'installation',
  operatorId: 'installation',
  operatorTokenId: 'installation',
  roleCode: 'installation',
  consoleSessionId: 'installation',
} as const satisfies Record<
  string,
  'tenant' | 'environments' | OwnedTable | 'environment of the path' | 'installation'
>;

/** The names of parameters of paths. A new one needs a line in {@link PATH_OWNERS}. */
export type PathName = keyof typeof PATH_OWNERS;
