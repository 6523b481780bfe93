import { createAvow } from '@avow/sdk';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { Button, ButtonLink, ServerLink } from '../ui/button';
import { endToken } from './end-token';
import { session, useSession } from './session';
import { chooseTheme, type Theme, useTheme } from './theme';

/** Removes the session in every tab. */
export const forgetSession = (): void => session.set(undefined);

/** Ends the session on the server too, so that a copied token no longer works. */
export function logOut(): void {
  const token = session.get()?.token;
  forgetSession();
  if (token !== undefined) endToken(token);
}

/** The same for somebody who presses the button: a log-in by a provider is ended there, too. */
async function logOutEverywhere(): Promise<void> {
  const token = session.get()?.token;
  forgetSession();
  if (token === undefined) return;
  const answer = await createAvow({ baseUrl: location.origin, token })
    .logout()
    .catch(() => undefined);
  const url = answer?.provider_logout_url;
  if (url !== undefined && /^https?:/.test(url)) location.assign(url);
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** The account menu: the user, the theme, and log-out. */
export function AccountMenu() {
  const user = useSession()?.user;
  const theme = useTheme();
  return (
    <DialogTrigger>
      <Button className="avatar" aria-label="Account">
        {(user?.name ?? '?').slice(0, 1).toUpperCase()}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="popover-body" aria-label="Account">
          {({ close }) => (
            <>
              <strong>{user?.name}</strong>
              <span className="muted">{user?.email}</span>
              <fieldset className="themes" aria-label="Theme">
                {THEMES.map(([key, name]) => (
                  <Button
                    key={key}
                    small
                    variant={theme === key ? 'primary' : 'secondary'}
                    aria-pressed={theme === key}
                    onPress={() => chooseTheme(key)}
                  >
                    {name}
                  </Button>
                ))}
              </fieldset>
              <ButtonLink to="/account" onClick={close}>
                Your account
              </ButtonLink>
              <ButtonLink to="/account/security" onClick={close}>
                How you log in
              </ButtonLink>
              <ButtonLink to="/account/keys" onClick={close}>
                Your API keys
              </ButtonLink>
              <ButtonLink to="/" onClick={close}>
                All sites
              </ButtonLink>
              <ServerLink to="/verify">Verify evidence</ServerLink>
              <Button onPress={() => void logOutEverywhere()}>Log out</Button>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
