import type { BodyOf, OperatorToken } from '@postrider/client';
import { Bot } from 'lucide-react';
import { useState } from 'react';
import { keys, useAdmin } from '../../api/index.ts';
import { ListScreen } from '../../ui/display.ts';
import { bind, ChangeButton, ChangeForm, type Json, SelectField, showSecret, text } from '../../ui/input.ts';
import { EXPIRES, stateOf, TOKEN_IDENTITY, TOKEN_TIMES } from '../tokens.tsx';
import { type Bounds, BoundsField, countOf, RoleField, ScopeChoice, UNBOUNDED } from './rights.tsx';

type Body = BodyOf<'issueOperatorToken'>;

const FIELDS = [
  text('name', 'Name', {
    required: true,
    placeholder: 'deploy-pipeline',
    hint: 'For the audit log, without spaces',
  }),
  EXPIRES,
];

function IssueToken() {
  const admin = useAdmin();
  const [hasRole, setHasRole] = useState(true);
  const issue = async ({ role, scopes, ...value }: Json) => {
    const body = { ...value, ...(hasRole ? { role } : { scopes }) };
    return (await admin.operatorTokens.issue(body as unknown as Body)).token;
  };
  return (
    <ChangeForm
      title="Issue an operator token"
      action="Issue"
      fields={FIELDS}
      initial={{ role: '', scopes: [], ...UNBOUNDED }}
      change={issue}
      shownIn={[keys.operatorTokens()]}
      after={showSecret('The token was issued', 'Token')}
    >
      {(value, set) => (
        <>
          <SelectField
            label="May"
            options={[
              ['role', 'what a role allows'],
              ['scopes', 'only chosen actions'],
            ]}
            {...bind(hasRole ? 'role' : 'scopes', (chosen) => setHasRole(chosen === 'role'))}
          />
          {hasRole ? (
            <RoleField value={String(value.role)} onChange={(role) => set({ role })} />
          ) : (
            <ScopeChoice value={value.scopes as readonly string[]} onChange={(scopes) => set({ scopes })} />
          )}
          <BoundsField value={value as unknown as Bounds} onChange={(bounds) => set({ ...bounds })} />
        </>
      )}
    </ChangeForm>
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
            {(role ?? scopes.join(', ')) || (operator_id ? 'what its operator may do' : '–')}
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
        title: 'No operator tokens yet',
        children: 'A pipeline that changes channels or templates needs one. People sign in instead.',
      }}
    />
  );
}
