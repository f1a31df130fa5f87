import { z } from 'zod';

// Its validators would be faster as made code, which the page's policy refuses; without this zod tries, at each start.
z.config({ jitless: true });
