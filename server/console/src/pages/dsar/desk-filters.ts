import type { Input, Schemas } from '@avow/sdk';
import { given } from '../../ui/filters';

/** The filters of the desk as they are in the page's address. */
export const NONE = {
  ...{ state: 'open', request_type: '', assignee: '', email: '' },
  ...{ due_after: '', due_before: '', from: '', to: '' },
};
export type DeskFilters = typeof NONE;

export type Query = Partial<Input<'listDsar'>>;

/** The query for each state. */
const STATES: Record<string, Query> = {
  open: { open: true, order: 'deadline' },
  overdue: { overdue: true, order: 'deadline' },
  created: { status: 'created', order: 'deadline' },
  in_progress: { status: 'in_progress', order: 'deadline' },
  resolved: { status: 'resolved' },
  all: {},
};

const DUE = /^due_(\d{1,3})$/;

function queryOfState(state: string): Query {
  const [, days] = DUE.exec(state) ?? [];
  return days === undefined ? (STATES[state] ?? {}) : { due_within: Number(days), order: 'deadline' };
}

/** The choices for the state: also the one in the address, which may be that of a view of another program. */
export function stateOptions(state: string): (readonly [string, string])[] {
  const [, days] = DUE.exec(state) ?? [];
  const own = days === undefined || ['7', '30'].includes(days) ? [] : [dueOption(Number(days))];
  return [
    ['open', 'To be answered'],
    ['overdue', 'Overdue'],
    ...own,
    dueOption(7),
    dueOption(30),
    ['created', 'New'],
    ['in_progress', 'In progress'],
    ['resolved', 'Resolved, newest first'],
    ['all', 'All, newest first'],
  ];
}

const dueOption = (days: number) =>
  [`due_${days}`, `Due within ${days} ${days === 1 ? 'day' : 'days'}`] as const;

/** What the list asks for. */
export function queryOf({ state, ...rest }: DeskFilters): Query {
  return { ...given(rest), ...queryOfState(state) } as Query;
}

/** The filters as a view keeps them: without an address, which is of one person. */
export function viewFilters({ email: _, ...filters }: DeskFilters): Schemas['DsarViewFilters'] {
  const { order: __, ...query } = queryOf({ ...filters, email: '' });
  return query as Schemas['DsarViewFilters'];
}

/** A view's filters as they are in the address. */
export function ofView({
  status,
  open,
  overdue,
  due_within,
  ...rest
}: Schemas['DsarViewFilters']): DeskFilters {
  return { ...NONE, ...rest, state: stateOf({ status, open, overdue, due_within }) };
}

type State = {
  [Name in 'status' | 'open' | 'overdue' | 'due_within']: Schemas['DsarViewFilters'][Name] | undefined;
};

function stateOf({ status, open, overdue, due_within }: State): string {
  if (due_within !== undefined) return `due_${due_within}`;
  if (overdue === true) return 'overdue';
  if (status !== undefined) return status;
  if (open === undefined) return 'all';
  return open ? 'open' : 'resolved';
}

/** Whether two sets of filters show the same. */
export const isSame = (one: DeskFilters, other: DeskFilters): boolean =>
  (Object.keys(NONE) as (keyof DeskFilters)[]).every((name) => one[name] === other[name]);
