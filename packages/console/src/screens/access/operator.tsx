import { useParams } from '@tanstack/react-router';
import { LogIn, Pencil, Power } from 'lucide-react';
import { keys, useAdmin } from '../../api/index.ts';
import { Back, Status, useRead } from '../../ui/display.ts';
import { ChangeButton, showSecret } from '../../ui/input.ts';
import { Button, Card, CopyId, Facts, PageHead, Time } from '../../ui/parts.tsx';
import { SessionsTable } from '../sessions.tsx';
import { OperatorDialog } from './operators.tsx';
import { BoundsList } from './rights.tsx';

/** The page of the console without its fragment. */
const PAGE = window.location.origin + window.location.pathname;

/** One operator: rights, sessions, and a link to sign in. */
export function Screen() {
  const { operatorId = '' } = useParams({ strict: false }) as { operatorId?: string };
  const admin = useAdmin();
  const [data, placeholder] = useRead(keys.operators(operatorId), () => admin.operators.get(operatorId));
  const isLocal = data?.source === 'local';
  const verb = data?.enabled ? 'Disable' : 'Enable';
  return (
    <>
      <Back to="/operators">Operators</Back>
      <PageHead
        title={data?.name ?? 'Operator'}
        about={data && <Status value={data.enabled ? 'active' : 'disabled'} />}
      >
        {data?.enabled && (
          <ChangeButton
            danger={false}
            label="Sign-in link"
            of={`for ${data.name}`}
            icon={LogIn}
            operation="createConsoleLink"
            action="Create the link"
            change={async () =>
              `${PAGE}${(await admin.consoleLinks.create({ operator_id: data.id })).url_fragment}`
            }
            shownIn={[keys.links()]}
            after={showSecret(`Link for ${data.name}`, 'Link')}
          >
            <p>
              It opens this console once, within 10 minutes, as {data.email}. Send it to nobody else. Unused
              links are listed under Sessions.
            </p>
          </ChangeButton>
        )}
        {isLocal && (
          <Button icon={Pencil} operation="updateOperator" dialog={<OperatorDialog operator={data} />}>
            Change
          </Button>
        )}
        {data && (
          <ChangeButton
            danger={data.enabled}
            label={verb}
            of={data.name}
            icon={Power}
            operation="updateOperator"
            action={`${verb} the operator`}
            change={() => admin.operators.update(data.id, { enabled: !data.enabled })}
            shownIn={[keys.operators(), keys.sessions()]}
            done={`The operator is ${verb.toLowerCase()}d.`}
          >
            <p>
              {data.enabled
                ? 'They lose all access within a second: sessions, tokens of the command line, and open streams.'
                : `They can sign in again, with the role ${data.role}.`}
            </p>
          </ChangeButton>
        )}
      </PageHead>
      {placeholder}
      {data && (
        <>
          <Card title="Access">
            <Facts
              items={{
                Email: data.email,
                Role: <code>{data.role}</code>,
                For: <BoundsList {...data} />,
                'Kept by': isLocal
                  ? 'administrators, here'
                  : `the provider ${data.source}, which also sets name, role and bounds`,
                Added: <Time at={data.created_at} />,
                'Last seen': <Time at={data.last_seen_at} none="never" />,
                Disabled: data.disabled_at && <Time at={data.disabled_at} />,
                Id: <CopyId value={data.id} />,
              }}
            />
          </Card>
          <section className="stack-tight">
            <h2>Sessions</h2>
            <SessionsTable of={{ operatorId: data.id }} />
          </section>
        </>
      )}
    </>
  );
}
