import { page } from '../../app/page';

export const site = [page('ropa', () => import('./ropa'))];
