import { keys, useAnswer } from '../../app/data';
import { GuideLink, PageHeader, QueryState } from '../../ui';
import { AuthenticatorApp } from './authenticator-app';
import { Passkeys } from './passkeys';
import { RecoveryCodes } from './recovery-codes';
import { SessionList } from './session-list';

/** How the account logs in: second factors, recovery codes and sessions. */
export default function Security() {
  const factors = useAnswer(keys.factors, (api, signal) => api.getSecondFactors(undefined, { signal }));
  return (
    <>
      <PageHeader
        title="How you log in"
        back={['/account', 'Your account']}
        actions={<GuideLink to="guides/signing-in">About logging in</GuideLink>}
      >
        A second factor keeps out others who know your password.
      </PageHeader>
      <QueryState query={factors}>
        {(data) => (
          <>
            <AuthenticatorApp
              since={data.totp_since}
              requiredBy={data.since === null ? data.required_by : []}
            />
            <Passkeys passkeys={data.passkeys} isPossible={data.passkeys_possible} />
            {data.since !== null && <RecoveryCodes left={data.recovery_codes_left} />}
            <SessionList />
          </>
        )}
      </QueryState>
    </>
  );
}
