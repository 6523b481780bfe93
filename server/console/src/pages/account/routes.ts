import { page } from '../../app/page';

export const account = [
  page('account', () => import('./account')),
  page('account/notifications', () => import('./notifications')),
  page('account/security', () => import('./security')),
];
