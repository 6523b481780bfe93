import type { Knex } from 'knex';
import { DUE_BEFORE, dueStage, later } from '../../domain/notices';
import { DAY_MS } from '../../domain/time';
import { inWords } from '../../domain/words';
import { newestOf } from './newest';
import type { Look, SiteNotice } from './told';

/** What is so much older than the last look is read again: each is told once. */
const AGAIN = DAY_MS;

interface OpenRequest {
  environment_id: string;
  request_id: string;
  request_type: string;
  created_at: Date;
  deadline: Date;
  channel: string;
  assignee_id: number | null;
  assigned_at: Date | null;
  assigned_by: number | null;
}

const OPEN = {
  table: 'dsar_requests' as const,
  key: 'request_id' as const,
  columns: [
    ...['request_type', 'created_at', 'deadline', 'channel'],
    ...['assignee_id', 'assigned_at', 'assigned_by'],
  ],
};

// As the indexes have it.
const open = (requests: Knex.QueryBuilder): Knex.QueryBuilder => requests.whereRaw("status <> 'resolved'");

const recent = ({ since }: Look): Date => new Date(since.getTime() - AGAIN);

export const newRequests = (look: Look): AsyncGenerator<SiteNotice[]> =>
  newestOf<OpenRequest>(look, {
    ...OPEN,
    which: (requests) =>
      void open(requests).where({ channel: 'online' }).where('created_at', '>', recent(look)),
    by: ['created_at', 'desc'],
    noticesOf: (row) => newRequest(row, recent(look)),
  });

export const assignedRequests = (look: Look): AsyncGenerator<SiteNotice[]> =>
  newestOf<OpenRequest>(look, {
    ...OPEN,
    which: (requests) => void open(requests).where('assigned_at', '>', recent(look)),
    by: ['assigned_at', 'desc'],
    noticesOf: (row) => assignedRequest(row, recent(look)),
  });

export const overdueRequests = (look: Look): AsyncGenerator<SiteNotice[]> =>
  newestOf<OpenRequest>(look, {
    ...OPEN,
    which: (requests) => void open(requests).where('deadline', '<', look.now),
    by: ['deadline', 'desc'],
    noticesOf: (row) => dueRequest(row, look.now),
  });

/** Apart from those that are overdue, so that neither are too many for the others; the most urgent come first. */
export const dueRequests = (look: Look): AsyncGenerator<SiteNotice[]> =>
  newestOf<OpenRequest>(look, {
    ...OPEN,
    which: (requests) =>
      void open(requests)
        .where('deadline', '>=', look.now)
        .where('deadline', '<', new Date(look.now.getTime() + 7 * DAY_MS)),
    by: ['deadline', 'asc'],
    noticesOf: (row) => dueRequest(row, look.now),
  });

const day = (at: Date): string => at.toISOString().slice(0, 10);

function newRequest(
  { environment_id, request_id, request_type, ...row }: OpenRequest,
  from: Date,
): SiteNotice[] {
  if (row.created_at < from) return [];
  return [
    {
      ...{ environment_id, topic: 'request_received', key: `request ${request_id}` },
      at: row.created_at,
      message: `A new data-subject request (${inWords(request_type)}) came; it must be answered by ${day(row.deadline)}.`,
      path: `/dsar/${request_id}`,
    },
  ];
}

/** Told to whoever got it, unless they took it themselves. */
function assignedRequest(
  { environment_id, request_id, request_type, deadline, ...row }: OpenRequest,
  from: Date,
): SiteNotice[] {
  const { assignee_id, assigned_at, assigned_by } = row;
  if (assignee_id === null || assigned_at === null || assignee_id === assigned_by) return [];
  if (assigned_at < from) return [];
  return [
    {
      ...{ environment_id, member_id: assignee_id, topic: 'request_assigned', path: `/dsar/${request_id}` },
      key: `assigned ${request_id} ${assigned_at.toISOString()}`,
      at: assigned_at,
      message: `A data-subject request (${inWords(request_type)}) was assigned to you; it must be answered by ${day(deadline)}.`,
    },
  ];
}

const DUE = {
  overdue: 'is overdue: answer it now, and record why it is late',
  '1_day': 'is due within a day',
  '7_days': 'is due within 7 days',
};

function dueRequest(
  { environment_id, request_id, request_type, deadline, created_at }: OpenRequest,
  now: Date,
): SiteNotice[] {
  const stage = dueStage(deadline, now);
  if (stage === undefined) return [];
  return [
    {
      ...{ environment_id, topic: stage === 'overdue' ? 'request_overdue' : 'request_due' },
      // An extension begins them anew.
      key: `due ${stage} ${request_id} ${day(deadline)}`,
      at: later(new Date(deadline.getTime() - DUE_BEFORE[stage]), created_at),
      message: `The data-subject request of type ${inWords(request_type)} that must be answered by ${day(deadline)} ${DUE[stage]}.`,
      path: `/dsar/${request_id}`,
    },
  ];
}
