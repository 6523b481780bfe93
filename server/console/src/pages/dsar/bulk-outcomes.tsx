import type { Item, Schemas } from '@avow/sdk';
import { useSite } from '../../app/site';
import { Alert, Button, Link } from '../../ui';
import { typeName } from './names';

/** Which requests were left as they were, and why. */
export function BulkOutcomes({
  outcomes: { items },
  requests,
  close,
}: {
  outcomes: Schemas['DsarOutcomes'];
  requests: readonly Item<'listDsar'>[];
  close: () => void;
}) {
  const { path } = useSite();
  const refused = items.filter(({ done }) => !done);
  const known = new Map(requests.map((request) => [request.request_id, request]));
  const nameOf = (id: string): string => {
    const request = known.get(id);
    return request === undefined
      ? id
      : `${typeName(request.request_type)} for ${request.email || request.name || 'somebody'}`;
  };
  return (
    <div className="stack">
      <Alert tone="warn" title={`${items.length - refused.length} done, ${refused.length} not`} live>
        These are as they were:
      </Alert>
      <ul>
        {refused.map(({ request_id, message }) => (
          <li key={request_id}>
            <Link to={path(`dsar/${request_id}`)}>{nameOf(request_id)}</Link>
            <span className="hint block">{message}</span>
          </li>
        ))}
      </ul>
      <div className="row end">
        <Button onPress={close} autoFocus>
          Close
        </Button>
      </div>
    </div>
  );
}
