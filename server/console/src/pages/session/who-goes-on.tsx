import { useNavigate } from 'react-router';
import { logOut } from '../../app/account-menu';
import { endToken } from '../../app/end-token';
import { type Session, useSession } from '../../app/session';
import { Alert, Button } from '../../ui';
import { Entry } from './entry';

/** Names whom a provider has proved, and who is logged in, before a session begins or takes the place of another. */
export function WhoGoesOn({
  name,
  next,
  goOn,
}: {
  name: string;
  next: Session;
  goOn: (next: Session) => void;
}) {
  const before = useSession()?.user;
  const navigate = useNavigate();
  const isOther = before !== undefined && before.id !== next.user.id;
  const refuse = () => {
    endToken(next.token);
    void navigate(before === undefined ? '/login' : '/', { replace: true });
  };
  const accept = () => {
    if (isOther) logOut();
    goOn(next);
  };
  return (
    <Entry title={isOther ? 'You are logged in as somebody else' : 'Is this your account?'}>
      {isOther ? (
        <Alert tone="warn" live title={`You are logged in as ${before.email}`}>
          {name} says that you are {next.user.email}. Nothing has changed yet.
        </Alert>
      ) : (
        <p>
          {name} says that you are {next.user.name}, {next.user.email}.
        </p>
      )}
      <p className="hint">
        If a page or a link has led you here, it may want you to work in the account of somebody else.
      </p>
      <div className="stack">
        <Button variant="primary" onPress={isOther ? refuse : accept}>
          {isOther ? `Stay ${before.email}` : `Go on as ${next.user.email}`}
        </Button>
        <Button onPress={isOther ? accept : refuse}>
          {isOther ? `Log out, and go on as ${next.user.email}` : 'It is not mine'}
        </Button>
      </div>
    </Entry>
  );
}
