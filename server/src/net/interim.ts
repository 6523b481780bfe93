import type { ClientRequest } from 'node:http';
import { Failure } from './failure';

/** Answers ahead of the final one (1xx), at most: each is parsed, and Node reads them without end. */
const MAX_INTERIM = 20;

/** Ends a request whose server sends more interim answers than any server has to. */
export function boundInterim(request: ClientRequest): ClientRequest {
  let interim = 0;
  return request.on('information', () => {
    interim += 1;
    if (interim > MAX_INTERIM) request.destroy(new Failure('TOO_MANY_INTERIM'));
  });
}
