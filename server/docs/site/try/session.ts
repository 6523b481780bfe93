const LOGIN = 'avow.session';
const SITE = 'avow.docs.site';

/** How long a stored login may be taken up again after the console was last open, in milliseconds. */
const AWAY_MS = 5 * 60_000;

/** The bearer token of this tab: the one of the console's login, or one entered in a form. */
export function readToken(): string {
  try {
    const login = JSON.parse(sessionStorage.getItem(LOGIN) ?? '{}');
    if (typeof login.token !== 'string' || Date.parse(login.expires_at) < Date.now()) return '';
    if (isGood(login)) return login.token;
    sessionStorage.removeItem(LOGIN);
    void endToken(login.token);
    return '';
  } catch {
    return '';
  }
}

/** By the console's mark (`server/console/src/app/presence.ts`), which a log-out takes away in all tabs. */
function isGood({ user, sitting }: { user?: { id: number }; sitting?: string }): boolean {
  const [own, at] = localStorage.getItem(`avow.seen.${user?.id}`)?.split(' ') ?? [];
  return own !== undefined && own === sitting && Math.abs(Date.now() - Number(at)) < AWAY_MS;
}

/** If the server cannot be reached, the token expires by itself. */
const endToken = (token: string): Promise<unknown> =>
  fetch('/api/auth/logout', {
    ...{ method: 'POST', headers: { Authorization: `Bearer ${token}` } },
    ...{ credentials: 'omit', keepalive: true },
  }).catch(() => undefined);

/**
 * Keeps an entered token for the other forms of this tab. It is lost with the tab and never written to disk.
 */
let given = '';
let shown = '';
export const currentToken = (): string => {
  if (given === '') shown = readToken();
  return given || shown;
};
/** Whether a field still holds the token of a login that has ended since. */
export const isOver = (token: string): boolean => token !== '' && token === shown && readToken() !== token;
export const giveToken = (token: string): void => {
  given = token;
};

export function readSite(): string {
  try {
    return sessionStorage.getItem(SITE) ?? '';
  } catch {
    return '';
  }
}

export function keepSite(token: string): void {
  try {
    sessionStorage.setItem(SITE, token);
  } catch {
    // Storage is blocked: the token must be entered again.
  }
}
