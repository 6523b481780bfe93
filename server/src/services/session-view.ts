import type { Context } from '../context';
import type { EnvironmentRow } from '../db/models';
import {
  fingerprintBytes,
  fingerprintText,
  isFingerprint,
  type SessionReader,
  seesSessions,
} from '../domain/session-refs';
import type { Role } from '../domain/types';
import { SessionCipher } from '../security/session-cipher';

/** How a caller is shown the sessions of a site, and names them, and what else not every role is shown. */
export interface SessionView {
  /** Whether ids are shown; else fingerprints. */
  readonly whole: boolean;
  /** Whether files of requests are named, as their lists are for operators and owners. */
  readonly namesFiles: boolean;
  show<Session extends string | null>(session: Session): Session | string;
  /** The id of the session that a filter names by either. */
  read(ref: string): Promise<string>;
}

/** Whose view it is. */
interface Viewer {
  environment: Pick<EnvironmentRow, 'id'>;
  role: Role;
  caller: SessionReader;
}

export async function sessionView(
  { serverSecrets }: Pick<Context, 'serverSecrets'>,
  { environment, role, caller }: Viewer,
): Promise<SessionView> {
  const whole = seesSessions(role, caller);
  // Only when it is needed: where nobody is shown a fingerprint, nothing depends on the secret.
  const cipher = async () => new SessionCipher(await serverSecrets.read('api_keys'), environment.id);
  const hiding = whole ? undefined : await cipher();
  return {
    whole,
    namesFiles: role !== 'viewer',
    show: (session) =>
      hiding === undefined || session === null ? session : fingerprintText(hiding.hide(session)),
    read: async (ref) => (isFingerprint(ref) ? (await cipher()).open(fingerprintBytes(ref)) : ref),
  };
}

/** A webhook's body as somebody is shown it. */
export function shownPayload<Payload extends object>(payload: Payload, sessions: SessionView): Payload {
  const { data } = payload as { data?: { session_id?: unknown } };
  if (sessions.whole || typeof data?.session_id !== 'string') return payload;
  return { ...payload, data: { ...data, session_id: sessions.show(data.session_id) } };
}
