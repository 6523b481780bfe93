import { Navigate, Outlet, useLocation } from 'react-router';
import { LoginDialog } from './login-dialog';
import { useSession } from './session';

/** Pages below need a login; the address is kept for afterwards. */
export function RequireSession() {
  const { pathname, search } = useLocation();
  if (useSession() === undefined) {
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/login${next}`} replace />;
  }
  return (
    <>
      <Outlet />
      <LoginDialog />
    </>
  );
}
