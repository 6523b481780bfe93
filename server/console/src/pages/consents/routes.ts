import { page } from '../../app/page';

export const site = [
  page('consents', () => import('./list')),
  page('consents/forms', () => import('./forms')),
  page('consents/forms/:id', () => import('./form')),
  page('consents/erasures', () => import('./erasures')),
  page('consents/:id', () => import('./proof')),
];
