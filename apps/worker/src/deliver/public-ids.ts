import type { ClaimedRun } from '@postrider/db';
import { formatId } from '@postrider/domain';

/** The ids by which a run is known outside. */
export function publicIds(run: ClaimedRun) {
  return {
    run: formatId('run', run.runId),
    message: formatId('msg', run.message.id),
    channel: formatId('chn', run.channel.id),
    environment: formatId('env', run.environmentId),
    tenant: formatId('ten', run.tenantId),
  };
}
