import { page } from '../../app/page';

export const open = [page('login', () => import('./login')), page('setup', () => import('./setup'))];
