import { createAvow } from '@avow/sdk';

/** Ends a session on the server alone. */
export function endToken(token: string): void {
  // An unreachable server must not prevent a log-out here; the token expires by itself.
  createAvow({ baseUrl: location.origin, token })
    .logout()
    .catch(() => undefined);
}
