const LOGIN = 'avow.session';
const SITE = 'avow.docs.site';

/**
 * The bearer token of this tab: the one that the console keeps here after its login, or one that was given in
 * a form.
 */
export function readToken(): string {
  try {
    const { token, expires_at } = JSON.parse(sessionStorage.getItem(LOGIN) ?? '{}');
    return typeof token === 'string' && !(Date.parse(expires_at) < Date.now()) ? token : '';
  } catch {
    return '';
  }
}

/**
 * Keeps what was given for the other forms of this tab. It ends with the tab, and never reaches a disk by us.
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
    // Forbidden storage: it is asked for again.
  }
}
