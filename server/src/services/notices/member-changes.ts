import type { Knex } from 'knex';
import { NO_ACCOUNT, NO_SITE } from '../../db/audit-events';
import { HOUR_MS } from '../../domain/time';
import type { AuditChange } from '../../domain/types';
import { newestOf } from './newest';
import type { Look, SiteNotice } from './told';

/** Events are committed a little after their time: so much is read again, and each is told once. */
const AGAIN = 2 * HOUR_MS;

/** What owners, keys and providers do to members and keys, in words. */
const CHANGES: Readonly<Record<string, string>> = {
  addMember: 'A member was invited or added',
  updateMember: 'The role of a member was changed',
  removeMember: 'A member was removed',
  renewInvitation: 'An invitation was renewed',
  joinEnvironment: 'Somebody accepted an invitation',
  acceptInvitation: 'Somebody accepted an invitation',
  createKey: 'An API key was made',
  rotateKey: 'An API key was replaced',
  revokeKey: 'An API key was revoked',
  revokeSiteKey: 'An API key was revoked',
  setSecondFactorRule: 'The rule that members need a second factor was changed',
};

/** By these a member gets or loses a role as well; all else that they do is of the account. */
const BY_PROVIDER = ['finishSignOn', 'unlinkIdentity'];

interface ChangeRow {
  environment_id: string;
  account_id: number;
  audit_id: string;
  occurred_at: Date;
  operation: string;
  user_id: number | null;
  resource: string | null;
  resource_id: string | null;
  changes: AuditChange[];
}

const EVENTS = {
  table: 'audit_events' as const,
  key: 'audit_id' as const,
  columns: ['account_id', 'occurred_at', 'operation', 'user_id', 'resource', 'resource_id', 'changes'],
  noticesOf: (row: ChangeRow) => noticeOf(row),
};

/** Events of the trail are committed with their change. */
const recent =
  (since: Date) =>
  (events: Knex.QueryBuilder): void =>
    void events
      .where('occurred_at', '>', new Date(since.getTime() - AGAIN))
      .where((either) =>
        either
          .whereIn('operation', Object.keys(CHANGES))
          .orWhere((given) => given.whereIn('operation', BY_PROVIDER).where({ resource: 'member' })),
      )
      .where({ kind: 'change' });

/** Of sites. */
export const memberChanges = (look: Look): AsyncGenerator<SiteNotice[]> =>
  newestOf<ChangeRow>(look, {
    ...EVENTS,
    which: (events) => recent(look.since)(events.where({ account_id: NO_ACCOUNT })),
    by: ['occurred_at', 'desc'],
  });

/** Of accounts, such as keys for all sites. */
export const accountChanges = (look: Look): AsyncGenerator<SiteNotice[]> =>
  newestOf<ChangeRow>(look, {
    ...EVENTS,
    of: 'account',
    which: (events) => recent(look.since)(events.where({ environment_id: NO_SITE })),
    by: ['occurred_at', 'desc'],
  });

function noticeOf(row: ChangeRow): SiteNotice[] {
  const { environment_id, account_id, audit_id, occurred_at: at } = row;
  const words = CHANGES[row.operation] ?? givenWords(row);
  if (words === undefined) return [];
  const joined = joinedBy(row);
  return [
    {
      ...{ environment_id, topic: 'members_and_keys', key: `audit ${audit_id}`, at },
      ...(environment_id === NO_SITE ? { account_id } : {}),
      ...(joined === undefined ? {} : { joined }),
      message: `${words}; the audit trail says by whom.`,
      path: pathOf(row),
    },
  ];
}

function pathOf({ environment_id, resource }: ChangeRow): string {
  if (environment_id === NO_SITE) return '/account';
  return resource === 'key' ? '/keys' : '/members';
}

const roleIn = ({ changes }: ChangeRow): AuditChange | undefined =>
  changes.find(({ field }) => field === 'role');

/** Undefined where a provider changed no role, such as that of a last owner. */
function givenWords(row: ChangeRow): string | undefined {
  const role = roleIn(row);
  if (role === undefined) return undefined;
  if (row.operation === 'unlinkIdentity') return 'A member gave up a role by unlinking a provider account';
  return role.after === null
    ? 'A log-in by a provider ended the role of a member'
    : `A log-in by a provider gave a member the role ${role.after}`;
}

/** Whoever has become a member by it. */
function joinedBy(row: ChangeRow): number | undefined {
  if (['joinEnvironment', 'acceptInvitation'].includes(row.operation)) return row.user_id ?? undefined;
  const isNew = row.operation === 'finishSignOn' && roleIn(row)?.before === null;
  return isNew ? Number(row.resource_id) : undefined;
}
