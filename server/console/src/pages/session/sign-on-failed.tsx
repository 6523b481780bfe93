import { describe } from '../../app/errors';
import { type Begun, beginning } from '../../app/sign-on';
import { Alert, Link as PageLink } from '../../ui';
import { Entry } from './entry';

/** What is tried again: all that it was begun with, if that is known. */
type Tried = Pick<Begun, 'provider'> & Partial<Begun>;

export const Again = ({ begun }: { begun: Tried }) => (
  <div className="row">
    <a className="button primary" href={beginning({ next: '/', reauthenticate: false, ...begun })}>
      Try again
    </a>
    <PageLink to="/login">Other ways to log in</PageLink>
  </div>
);

export function Failed({ begun, error }: { begun: Tried; error: unknown }) {
  const { text } = describe(error);
  return (
    <Entry title="You are not logged in">
      <Alert tone="bad" live title="That did not work">
        {text}
      </Alert>
      <Again begun={begun} />
    </Entry>
  );
}
