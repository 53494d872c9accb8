import type { BodyOf, OperatorToken } from '@postrider/client';
import { Bot } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { useAdmin } from '../../api/scope.ts';
import { Change, ChangeButton, showSecret } from '../../ui/change.tsx';
import { bind, SelectField, TextField } from '../../ui/form.tsx';
import { fromLocalInput } from '../../ui/format.ts';
import { ListScreen } from '../../ui/list.tsx';
import { stateOf, TOKEN_IDENTITY, TOKEN_TIMES } from '../tokens.tsx';
import { type Bounds, BoundsField, countOf, RoleField, ScopeChoice, UNBOUNDED } from './rights.tsx';

type Body = BodyOf<'issueOperatorToken'>;

function IssueToken() {
  const admin = useAdmin();
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const [hasRole, setHasRole] = useState(true);
  const [role, setRole] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [bounds, setBounds] = useState<Bounds>(UNBOUNDED);
  const issue = async () => {
    const rights = hasRole ? { role } : { scopes: [...scopes] as NonNullable<Body['scopes']> };
    const body = { name, ...rights, ...bounds, expires_at: fromLocalInput(expires) ?? null } as Body;
    return (await admin.operatorTokens.issue(body)).token;
  };
  return (
    <Change
      danger={false}
      title="Issue an operator token"
      action="Issue"
      change={issue}
      shownIn={[keys.operatorTokens()]}
      after={showSecret('The token was issued', 'Token')}
    >
      <div className="form-row">
        <TextField
          label="Name"
          required
          placeholder="deploy-pipeline"
          hint="For the audit log, without spaces"
          {...bind(name, setName)}
        />
        <TextField
          label="Expires (optional)"
          type="datetime-local"
          hint="Empty: never"
          {...bind(expires, setExpires)}
        />
      </div>
      <SelectField
        label="May"
        options={[
          ['role', 'what a role may'],
          ['scopes', 'only chosen actions'],
        ]}
        value={hasRole ? 'role' : 'scopes'}
        onChange={({ target }) => setHasRole(target.value === 'role')}
      />
      {hasRole ? (
        <RoleField value={role} onChange={setRole} />
      ) : (
        <ScopeChoice value={scopes} onChange={setScopes} />
      )}
      <BoundsField value={bounds} onChange={setBounds} />
    </Change>
  );
}

/** Tokens of machines, and those that operators got for the command line. */
export function Screen() {
  const admin = useAdmin();
  return (
    <ListScreen<OperatorToken>
      title="Operator tokens"
      about="Machines, and the command lines of operators, manage the installation with them. A token is shown once."
      create={{ label: 'Issue a token', operation: 'issueOperatorToken', dialog: <IssueToken /> }}
      queryKey={keys.operatorTokens()}
      read={(query) => admin.operatorTokens.page(query)}
      columns={{
        Name: ({ name }) => <strong className="break">{name}</strong>,
        ...TOKEN_IDENTITY,
        May: ({ role, scopes, operator_id }) => (
          <span className="break wrap">
            {(role ?? scopes.join(', ')) || (operator_id ? 'what its operator may' : '–')}
          </span>
        ),
        For: countOf,
        ...TOKEN_TIMES,
      }}
      actions={(token) =>
        stateOf(token) === 'active' && (
          <ChangeButton
            inRow
            label="Revoke"
            of={token.name}
            operation="revokeOperatorToken"
            action="Revoke the token"
            change={() => admin.operatorTokens.revoke(token.id)}
            shownIn={[keys.operatorTokens()]}
            done="The token is revoked. It is refused everywhere within a second."
          >
            <p>Requests with it are refused. This cannot be undone.</p>
          </ChangeButton>
        )
      }
      empty={{
        icon: Bot,
        title: 'There is no operator token yet',
        children: 'A pipeline that changes channels or templates needs one. People sign in instead.',
      }}
    />
  );
}
