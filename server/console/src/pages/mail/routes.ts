import { page } from '../../app/page';

export const site = [page('mail', () => import('./list')), page('mail/:id', () => import('./detail'))];
