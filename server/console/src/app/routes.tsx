import { createBrowserRouter, Navigate, Outlet, type RouteObject, useLocation } from 'react-router';
import { Missing } from '../ui/states';
import { RouteError } from './error-boundary';
import { LoginDialog } from './login-dialog';
import { useSession } from './session';
import { Shell } from './shell';
import { SiteRoute } from './site';

interface Area {
  /** Pages below `/sites/:site`. */
  site?: RouteObject[];
  /** Pages of a person who is logged in. */
  account?: RouteObject[];
  /** Pages without a login. */
  open?: RouteObject[];
}

/** Every `pages/<area>/routes.ts` is found by itself: a new page touches no other file. */
const areas = Object.values(import.meta.glob<Area>('../pages/*/routes.ts', { eager: true }));
const all = (kind: keyof Area): RouteObject[] => areas.flatMap((area) => area[kind] ?? []);

/** Every address of the console. */
export const router = createBrowserRouter(
  [
    {
      ErrorBoundary: RouteError,
      // Nothing yet: the first page is here within a moment.
      HydrateFallback: () => null,
      children: [
        ...all('open'),
        {
          Component: RequireSession,
          children: [
            {
              Component: Shell,
              children: [
                {
                  ErrorBoundary: RouteError,
                  children: [
                    ...all('account'),
                    {
                      path: 'sites/:site',
                      Component: SiteRoute,
                      children: [...all('site'), { path: '*', Component: Missing }],
                    },
                    { path: '*', Component: Missing },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  { basename: '/console' },
);

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
