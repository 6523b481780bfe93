/** What the console keeps of a session: with its tab, and the mark that the tab is open. */
export interface KeptSession {
  /** As JSON. */
  session: string;
  /** Name and value in `localStorage`. */
  mark: [name: string, value: string];
}

/** As if somebody had logged in to the console in a tab, just now or so many milliseconds ago. */
export function keptSession<Session extends { user: { id: number } }>(
  session: Session,
  ago = 0,
): KeptSession {
  const sitting = 'of-a-test';
  return {
    session: JSON.stringify({ ...session, sitting }),
    mark: [`avow.seen.${session.user.id}`, `${sitting} ${Date.now() - ago}`],
  };
}

/** Run in a page. */
export const keep = ({ session, mark: [name, value] }: KeptSession): void => {
  sessionStorage.setItem('avow.session', session);
  localStorage.setItem(name, value);
};
