import { page } from '../../app/page';

export const site = [page('analytics', () => import('./analytics'))];
