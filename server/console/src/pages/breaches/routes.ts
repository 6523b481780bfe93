import { page } from '../../app/page';

export const site = [
  page('breaches', () => import('./list')),
  page('breaches/new', () => import('./create')),
  page('breaches/:id', () => import('./detail')),
  page('breaches/:id/edit', () => import('./edit')),
];
