import { page } from '../../app/page';

export const site = [
  page('webhooks', () => import('./list')),
  page('webhooks/new', () => import('./create')),
  page('webhooks/events', () => import('./events')),
  page('webhooks/:id', () => import('./detail')),
];
