import type { Role } from '../../app/data';

/** The roles as a person chooses among them: key, name, and what it allows. */
export const ROLES: readonly (readonly [Role, string, string])[] = [
  ['viewer', 'Viewer', 'Reads everything of the site.'],
  ['operator', 'Operator', 'Also answers requests, reports breaches and redelivers events.'],
  ['owner', 'Owner', 'Also manages members, webhooks and settings.'],
];
