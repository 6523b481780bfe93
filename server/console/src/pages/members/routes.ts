import { page } from '../../app/page';

export const site = [page('members', () => import('./members'))];
