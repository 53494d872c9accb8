import type { SecretKeys } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { withProgress } from '../output/progress.ts';
import type { Style } from '../output/style.ts';
import { table } from '../output/table.ts';
import type { Session } from '../session.ts';

const COLUMNS = ['key_id', 'status', 'secrets', 'channels'];

const keysTable = ({ keys }: SecretKeys, style: Style) => table(COLUMNS, keys, style);

const underOlderKeys = ({ keys }: SecretKeys) =>
  keys.reduce((sum, { status, secrets }) => (status === 'older' ? sum + secrets : sum), 0);

async function reencrypt(session: Session): Promise<void> {
  const { secrets } = session.admin();
  const total = underOlderKeys(await secrets.keys(session.call));
  let reencrypted = 0;
  const keys = await withProgress('re-encrypting', session.io.stderr, async (update) => {
    for (;;) {
      update(reencrypted, total);
      const done = await secrets.reencrypt({}, session.call);
      reencrypted += done.reencrypted;
      if (done.has_more) continue;
      update(reencrypted, total);
      return done.keys;
    }
  });
  session.show({ reencrypted, keys }, (result, style) =>
    [`${reencrypted} re-encrypted`, keysTable(result, style)].join('\n\n'),
  );
}

/** `postrider secrets`: the keys under which webhook secrets and SMTP passwords are stored. */
export function addSecrets(program: SessionCommand): void {
  const group = program.add('secrets', 'the keys under which webhook secrets and SMTP passwords are stored');
  group
    .add('keys', 'count the stored secrets per key, and list those that cannot be decrypted')
    .shows((session) => session.admin().secrets.keys(session.call), keysTable);
  group
    .add(
      'reencrypt',
      're-encrypt all secrets with the first of ENCRYPTION_KEYS; can be interrupted and repeated',
    )
    .examples({
      'postrider secrets reencrypt':
        'After adding a key at the front and restarting every process; then the old key can be removed.',
    })
    .runs(reencrypt);
}
