const LOGIN = 'avow.session';
const SITE = 'avow.docs.site';

/** The bearer token of this tab: the one of the console's login, or one entered in a form. */
export function readToken(): string {
  try {
    const { token, expires_at } = JSON.parse(sessionStorage.getItem(LOGIN) ?? '{}');
    return typeof token === 'string' && !(Date.parse(expires_at) < Date.now()) ? token : '';
  } catch {
    return '';
  }
}

/**
 * Keeps an entered token for the other forms of this tab. It is lost with the tab and never written to disk.
 */
let given = '';
export const currentToken = (): string => given || readToken();
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
