import { Fragment, useEffect } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject, useLocation } from 'react-router';
import { Missing } from '../ui/states';
import { RouteError } from './error-boundary';
import { question } from './question';
import { QuestionDialog } from './question-dialog';
import { useSession } from './session';
import { Shell } from './shell';
import { SiteRoute } from './site';

interface Area {
  /** Pages below `/sites/:site`. */
  site?: RouteObject[];
  /** Pages above the sites, with a login. */
  account?: RouteObject[];
  /** Pages without a login. */
  open?: RouteObject[];
}

/** Finds every `pages/<area>/routes.ts`, so that a new page needs no change in other files. */
const areas = Object.values(import.meta.glob<Area>('../pages/*/routes.ts', { eager: true }));
const all = (kind: keyof Area): RouteObject[] => areas.flatMap((area) => area[kind] ?? []);

/** All routes of the console. */
export const router = createBrowserRouter(
  [
    {
      Component: Root,
      ErrorBoundary: RouteError,
      // Shows nothing, because the first page is loaded within a moment.
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

/** Whichever page is shown, with a login or without, may have to ask who is there. */
function Root() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends with the page
  useEffect(() => question.cancel, [pathname]);
  return (
    <>
      <Outlet />
      <QuestionDialog />
    </>
  );
}

/** Redirects to the login page if needed, which leads back to this address. */
export function RequireSession() {
  const { pathname, search } = useLocation();
  const user = useSession()?.user;
  if (user === undefined) {
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/login${next}`} replace />;
  }
  return (
    // What somebody else had on the page goes with them.
    <Fragment key={user.id}>
      <Outlet />
    </Fragment>
  );
}
