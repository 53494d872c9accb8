import type { Erasure, PostriderAdmin } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { fieldOption, fieldsIn } from '../field-options.ts';
import { record } from '../output/table.ts';
import { poll, sayingWhatContinues } from '../poll.ts';
import type { Session } from '../session.ts';

/** Waits for the end of an erasure. */
function completed(session: Session, id: string): Promise<Erasure> {
  const read = () => session.admin().erasures.get(id, session.call);
  return sayingWhatContinues(
    session,
    poll(session, read, ({ status }) => status === 'completed'),
    `The erasure continues in the background. To see its progress: postrider recipients get ${id}`,
  );
}

async function erase(session: Session, options: { environment: string; wait?: boolean }): Promise<void> {
  const { environment, wait } = options;
  const recipient = fieldsIn<Parameters<PostriderAdmin['erasures']['create']>[1]>(RECIPIENT, options);
  const erasure = await session.admin().erasures.create(environment, recipient, session.call);
  session.show(wait ? await completed(session, erasure.id) : erasure, record);
}

const RECIPIENT = [
  fieldOption('--email <address>', 'the address, ignoring case'),
  fieldOption('--recipient-id <id>', 'the id of the recipient in the events, instead of the address'),
  fieldOption('--consumer <id>', 'all messages of this consumer, instead of one recipient'),
];

/** `postrider recipients erase`, which can wait for the end. */
export function addRecipients(program: SessionCommand): void {
  program
    .add('recipients', 'erasure of a recipient’s data')
    .add('erase', 'erase recipient and payload of all messages to a recipient, in the background')
    .needsEnvironment()
    .addFields(RECIPIENT)
    .option('--wait', 'wait until it is completed, at least 25 seconds')
    .examples({
      'postrider recipients erase --environment env_01… --email ada@example.com --wait':
        'Waiting deliveries are ended, counts stay, and the audit log keeps a hash of the address or id.',
    })
    .runs(erase);
}
