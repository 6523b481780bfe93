import type { Item } from '@avow/sdk';
import { Badge, type Tone } from '../../ui';

export type Mail = Item<'listMails'>;

const STATES: Record<Mail['state'], readonly [string, Tone]> = {
  pending: ['Waiting', 'warn'],
  sent: ['Sent', 'good'],
  failed: ['Not delivered', 'bad'],
  unsent: ['No mail server', 'info'],
  withheld: ['Held back', 'warn'],
};

export const STATE_OPTIONS = [
  ['', 'All'],
  ...Object.entries(STATES).map(([state, [name]]) => [state, name] as const),
] as const;

export function StateBadge({ state }: Pick<Mail, 'state'>) {
  const [name, tone] = STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}

const KINDS: Readonly<Record<string, string>> = {
  request_received: 'A request was received',
  request_extended: 'A deadline was extended',
  request_answered: 'A request was answered',
  answer_code: 'A code to open the files of an answer',
  notice: 'A notice to a member',
  owner_notice: 'A notice to an owner',
};

/** A newer server may know more. */
export const kindName = (kind: string): string => KINDS[kind] ?? kind;
