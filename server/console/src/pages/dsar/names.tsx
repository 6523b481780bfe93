import type { Schemas } from '../../app/data';
import { Badge, type Tone } from '../../ui';

type Type = Schemas['DsarType'];
type Status = Schemas['DsarStatus'];
type Resolution = Schemas['DsarResolution'];

export const TYPES: readonly (readonly [Type, string])[] = [
  ['access', 'Access'],
  ['rectification', 'Rectification'],
  ['erasure', 'Erasure'],
  ['restriction', 'Restriction'],
  ['portability', 'Portability'],
  ['objection', 'Objection'],
  ['automated_decision', 'Automated decision'],
  ['withdraw_consent', 'Withdrawal of consent'],
  ['complaint', 'Complaint'],
];

export const CHANNELS = [
  ['letter', 'By letter'],
  ['telephone', 'By telephone'],
  ['email', 'By e-mail'],
  ['in_person', 'In person'],
  ['other', 'Another way'],
] as const;

export const channelName = (channel: Schemas['DsarChannel']): string =>
  CHANNELS.find(([key]) => key === channel)?.[1] ?? 'Online';

export const STATUSES: Record<Status, readonly [string, Tone]> = {
  created: ['New', 'info'],
  in_progress: ['In progress', 'warn'],
  resolved: ['Resolved', 'good'],
};

export const RESOLUTIONS: readonly (readonly [Resolution, string, string])[] = [
  ['fulfilled', 'Fulfilled', 'Everything that was asked for was done.'],
  [
    'partially_fulfilled',
    'Fulfilled in part',
    'The person must be told what was not done, and why (Art. 12(4)).',
  ],
  ['refused', 'Refused', 'The person must be told why, and of the right to complain (Art. 12(4)).'],
  ['duplicate', 'Duplicate', 'The same request is answered elsewhere.'],
  ['not_verified', 'Not verified', 'The person did not prove who they are (Art. 12(6)).'],
];

export const typeName = (type: Type): string => TYPES.find(([key]) => key === type)?.[1] ?? type;

export const resolutionName = (resolution: Resolution): string =>
  RESOLUTIONS.find(([key]) => key === resolution)?.[1] ?? resolution;

export function StatusBadge({ status }: { status: Status }) {
  const [name, tone] = STATUSES[status];
  return <Badge tone={tone}>{name}</Badge>;
}

/** A member, by their name if they have one. */
export const personName = ({ name, email }: Pick<Schemas['DsarAssignee'], 'name' | 'email'>): string =>
  name === '' ? email : name;
