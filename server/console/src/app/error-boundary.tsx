import { useRouteError } from 'react-router';
import { Button } from '../ui/button';

/** Shown for an error of the console itself, or for a part that could not be loaded. */
export function RouteError() {
  const error = useRouteError();
  const isLoading = /dynamically imported module|Importing a module|Unable to preload/i.test(String(error));
  return (
    <main className="centred">
      <div className="state" role="alert">
        <h1>{isLoading ? 'This page could not be loaded' : 'The console made a mistake'}</h1>
        <p>
          {isLoading
            ? 'The server cannot be reached, or was updated meanwhile. Load the page again.'
            : 'Nothing was changed on the server by it. Load the page again; if it comes back, report it with this text:'}
        </p>
        {!isLoading && <code>{String(error)}</code>}
        <Button variant="primary" onPress={() => location.reload()}>
          Load again
        </Button>
      </div>
    </main>
  );
}
