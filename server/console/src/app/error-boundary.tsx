import { useRouteError } from 'react-router';
import { Button } from '../ui/button';

/** Shown for an error in the console itself, or when a page's code could not be loaded. */
export function RouteError() {
  const error = useRouteError();
  const isLoading = /dynamically imported module|Importing a module|Unable to preload/i.test(String(error));
  return (
    <main className="centred">
      <div className="state" role="alert">
        <h1>{isLoading ? 'This page could not be loaded' : 'Something went wrong in the console'}</h1>
        <p>
          {isLoading
            ? 'The server cannot be reached, or has been updated. Load the page again.'
            : 'This error changed nothing on the server. Load the page again; if it happens again, report it with this text:'}
        </p>
        {!isLoading && <code>{String(error)}</code>}
        <Button variant="primary" onPress={() => location.reload()}>
          Load again
        </Button>
      </div>
    </main>
  );
}
