import { formatId, TOKEN_SCOPES } from '@postrider/domain';
import type { useApi } from '../support/database.ts';

/** A stored message of a new environment, and the names in paths that lead to it. */
export interface Stored {
  readonly token: string;
  readonly environmentId: string;
  readonly ids: Readonly<Record<'environmentId' | 'messageId' | 'deliveryRunId', string>>;
}

/** Posts an event, by default to a new environment. */
export async function createStored(
  world: Pick<ReturnType<typeof useApi>, 'api' | 'environment'>,
  event: unknown,
): Promise<Stored> {
  const { token, environmentId } = await world.environment({ scopes: Object.keys(TOKEN_SCOPES) });
  const { body } = await world.api().postEvent(token, event).expect(201);
  return {
    token,
    environmentId,
    ids: {
      environmentId: formatId('env', environmentId),
      messageId: body.message_id,
      deliveryRunId: body.delivery_runs[0].id,
    },
  };
}
