import { page } from '../../app/page';

export const site = [
  page('dsar', () => import('./list')),
  page('dsar/new', () => import('./create')),
  page('dsar/:id', () => import('./detail')),
];
