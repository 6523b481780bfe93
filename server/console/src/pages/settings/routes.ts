import { page } from '../../app/page';

export const site = [
  page('settings', () => import('./settings')),
  page('settings/:section', () => import('./settings')),
];
