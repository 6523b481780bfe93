import { useAction } from '../../app/data';
import { describe } from '../../app/errors';
import { useLoginMethods } from '../../app/provider-buttons';
import { type Begun, beginning, goToProvider } from '../../app/sign-on';
import { Alert, Button, Link as PageLink } from '../../ui';
import { Entry } from './entry';

/** What is tried again: all that it was begun with, if that is known. */
type Tried = Pick<Begun, 'provider'> & Partial<Begun>;

export function Again({ begun }: { begun: Tried }) {
  const { data } = useLoginMethods();
  const go = useAction((_, methods: NonNullable<typeof data>) =>
    goToProvider({ next: '/', links: false, reauthenticate: false, ...begun }, methods),
  );
  // What did not begin in this tab names the provider before it begins.
  const isOwn = begun.secret !== undefined && data !== undefined;
  return (
    <>
      <div className="row">
        {isOwn ? (
          <Button variant="primary" isPending={go.pending} onPress={() => go.run(data)}>
            Try again
          </Button>
        ) : (
          <a className="button primary" href={beginning({ next: '/', reauthenticate: false, ...begun })}>
            Try again
          </a>
        )}
        <PageLink to="/login">Other ways to log in</PageLink>
      </div>
      {go.error !== null && (
        <Alert tone="bad" live title={describe(go.error).title}>
          {describe(go.error).text}
        </Alert>
      )}
    </>
  );
}

export function Failed({ begun, error }: { begun: Tried; error: unknown }) {
  const { text } = describe(error);
  return (
    <Entry title={begun.links ? 'It is not linked' : 'You are not logged in'}>
      <Alert tone="bad" live title="That did not work">
        {text}
      </Alert>
      <Again begun={begun} />
    </Entry>
  );
}
